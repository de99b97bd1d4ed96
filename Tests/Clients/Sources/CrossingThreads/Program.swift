// SPDX-License-Identifier: MIT
// A program whose messages change threads: from two senders to a queue, to an actor and to the main actor.

import Dispatch
import SwiftObserver
import SwiftObserverDispatch

struct Measurement: Sendable {
    let sensor: String
    let value: Int
}

final class Sensors: Observable, Sendable {
    let messenger = Messenger<Measurement>()
}

final class Watcher: Observer, Sendable {
    let receiver = Receiver()
}

actor Ledger: Observer {
    let receiver = Receiver()
    private var sum = 0
    private var count = 0

    func enter(_ measurement: Measurement) {
        sum += measurement.value
        count += 1
    }

    var result: (sum: Int, count: Int) { (sum, count) }

    func watch(_ sensors: Sensors) {
        observe(sensors) { [unowned self] in enter($0) }
    }
}

@MainActor final class Display: Observer {
    let receiver = Receiver()
    private(set) var lines = 0

    func show(_ sensors: Sensors) {
        observe(sensors) { [weak self] _ in self?.lines += 1 }
        observe(sensors).filter { $0.value == 0 }.receive { [weak self] _ in self?.lines += 1 }
    }
}

func sendFromTwoThreads(_ sensors: Sensors) {
    DispatchQueue.concurrentPerform(iterations: 2) { sensor in
        for value in 0..<100 { sensors.send(Measurement(sensor: "\(sensor)", value: value)) }
    }
}

@main @MainActor
enum Program {
    static func main() async {
        let sensors = Sensors(), watcher = Watcher(), ledger = Ledger(), display = Display()
        let queue = DispatchQueue(label: "watcher")
        let counted = Var(0)

        display.show(sensors)
        await ledger.watch(sensors)
        watcher.observe(sensors, on: .async(queue)) { _ in counted.update { $0 += 1 } }
        watcher.observe(sensors, on: .async(.global())) { _ in counted.update { $0 += 1 } }
        watcher.observe(sensors, on: .sync(queue)) { _ in counted.update { $0 += 1 } }
        watcher.observe(sensors).map { $0.value }.receive(on: .async(queue)) { _ in counted.update { $0 += 1 } }
        watcher.observe(sensors, on: ledger) { ledger, measurement in ledger.enter(measurement) }
        watcher.observe(sensors, on: MainActor.shared) { _ in MainActor.assertIsolated() }

        await Task.detached { sendFromTwoThreads(sensors) }.value
        while await ledger.result.count < 400 || counted.value < 800 || display.lines < 202 { await Task.yield() }
        print(await ledger.result, counted.value, display.lines)
        #if swift(>=6)
            print("in Swift 6 mode")
        #else
            print("in Swift 5 mode")
        #endif
    }
}
