// SPDX-License-Identifier: MIT
// What OpenCombine does: the questions of probe.hpp. It has Combine's words, and is what can be had of it on Linux.

import Foundation
import OpenCombine

typealias Signal = PassthroughSubject<Int, Never>
let limit = DispatchTimeInterval.seconds(3)  // for what may never happen, as a call that waits for a lock returns

func answer(_ question: String, _ isYes: Bool, _ instead: String = "") {
    print("\(question): \(isYes ? "yes" : "no")\(instead.isEmpty ? "" : ", \(instead)")")
}

func order() {
    let signal = Signal()
    var called: [Int] = []
    var all = (0..<100).map { each in signal.sink { _ in called.append(each) } }
    for each in stride(from: 0, to: 100, by: 3) {
        all[each].cancel()
        all[each] = signal.sink { _ in called.append(100 + each) }
    }
    signal.send(1)
    answer("order", called.count == 100 && called == called.sorted())
}

func turn() {
    let signal = Signal()
    var heard: [String] = []
    var isFirst = true
    func receive(_ name: String) -> (Int) -> Void {
        return { number in
            heard.append("\(name)\(number)")
            if number == 1, isFirst {
                isFirst = false
                signal.send(2)
            }
        }
    }
    let kept = [signal.sink(receiveValue: receive("a")), signal.sink(receiveValue: receive("b"))]
    signal.send(1)
    // Whichever came first: both have heard 1 before one hears 2.
    answer(
        "turn", heard.prefix(2).allSatisfy { $0.hasSuffix("1") },
        heard.prefix(2).allSatisfy { $0.hasSuffix("1") } ? "" : "at once")
    withExtendedLifetime(kept) {}
}

func stopping() {
    let signal = Signal()
    var heard: [String] = []
    var kept: [AnyCancellable] = []
    // Each stops the other, for who is first is not known.
    kept.append(
        signal.sink { _ in
            heard.append("a")
            kept[1].cancel()
        })
    kept.append(
        signal.sink { _ in
            heard.append("b")
            kept[0].cancel()
        })
    signal.send(1)
    answer("stop", heard.count == 1)
}

func joining() {
    let signal = Signal()
    var heard: [Int] = []
    var later: [AnyCancellable] = []
    let kept = signal.sink { number in
        if number == 1 { later.append(signal.sink { heard.append($0) }) }
    }
    signal.send(1)
    signal.send(2)
    answer("join", heard == [2])
    withExtendedLifetime(kept) {}
}

/// Two threads send: one while the other is in a handler, then both a lot.
func threads() {
    let signal = Signal()
    let lock = NSLock()
    let entered = DispatchSemaphore(value: 0)
    let sent = DispatchSemaphore(value: 0)
    let done = DispatchSemaphore(value: 0)
    var heard: [[Int]] = [[], []]
    var isFirst = true
    var returned = false
    func receive(_ index: Int) -> (Int) -> Void {
        return { number in
            lock.lock()
            heard[index].append(number)
            let waits = number == 1 && isFirst
            if waits { isFirst = false }
            lock.unlock()
            guard waits else { return }
            entered.signal()
            returned = sent.wait(timeout: .now() + limit) == .success
        }
    }
    let kept = [signal.sink(receiveValue: receive(0)), signal.sink(receiveValue: receive(1))]
    Thread.detachNewThread {
        entered.wait()
        signal.send(2)
        sent.signal()
        for number in 0..<20000 { signal.send(2 * number + 4) }
        done.signal()
    }
    signal.send(1)
    for number in 0..<20000 { signal.send(2 * number + 3) }
    done.wait()
    answer("one order", heard[0] == heard[1])
    answer("no lock", returned)
    withExtendedLifetime(kept) {}
}

func waiting() {
    let signal = Signal()
    let entered = DispatchSemaphore(value: 0)
    let stopped = DispatchSemaphore(value: 0)
    let done = DispatchSemaphore(value: 0)
    var stoppedInside = false
    let kept = signal.sink { _ in
        entered.signal()
        stoppedInside = stopped.wait(timeout: .now() + limit) == .success
    }
    Thread.detachNewThread {
        signal.send(1)
        done.signal()
    }
    entered.wait()
    kept.cancel()
    stopped.signal()
    done.wait()
    answer("wait", !stoppedInside)
}

func ending() {
    final class Listener {
        var kept: [AnyCancellable] = []
    }
    let signal = Signal()
    var heard: [String] = []
    do {
        let listener = Listener()
        listener.kept.append(signal.sink { _ in heard.append("alive") })
        signal.send(1)
    }
    signal.send(2)
    answer("end", heard == ["alive"])
}

print("version: 0.14.0")
order()
turn()
stopping()
joining()
threads()
waiting()
ending()
print("failure: none")  // a sink cannot fail
print("computed: none")  // there is no CombineLatest
