// SPDX-License-Identifier: MIT

import SwiftObserver
import Testing
import TestSupport

@MainActor @Suite("Documentation: Order and Threads") struct OrderAndThreadsTests {
    @Test func whatAHandlerSendsWaits() {
        let messenger = Messenger<Int>(), dog = Dog()
        var log: [String] = []
        dog.observe(messenger) { number in
            log.append("first \(number)")
            if number == 1 { messenger.send(2) }
        }
        dog.observe(messenger) { log.append("second \($0)") }
        messenger.send(1)
        // first 1, second 1, first 2, second 2
        #expect(log == ["first 1", "second 1", "first 2", "second 2"])
    }

    @Test func updatingIsOneStep() {
        let counter = Var(0)
        counter.update { $0 += 1 }
        #expect(counter.value == 1)
    }

    @Test func deliveryAndBeginningOnAQueue() {
        let sky = Messenger<String>(), counter = Var(0), dog = Dog(), queue = ManualQueue()
        nonisolated(unsafe) var colors: [String] = [], counts: [Int] = []
        dog.observe(sky, on: .async(queue)) { color in colors.append(color) }
        dog.observe(counter, replaying: .latest, beginningOn: queue) { update in counts.append(update.new) }
        sky.send("blue")
        counter.value = 1
        #expect(colors == [] && counts == [])
        queue.runAll()
        counter.value = 2
        #expect(colors == ["blue"] && counts == [1, 2])
    }
}
