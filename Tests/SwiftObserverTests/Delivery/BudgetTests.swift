// SPDX-License-Identifier: MIT

import Foundation
import SwiftObserver
import Synchronization
import TestSupport
import Testing

/// A thread that delivers for others is relieved after so many messages.
@Suite struct BudgetTests {
    @Test func everyObservableHasABudgetOfItsOwn() {
        let messenger = Messenger<Int>(), variable = Var(0)
        let map = messenger.map { $0 }
        #expect(messenger.deliveryBudget == 1000)
        messenger.deliveryBudget = 7
        variable.deliveryBudget = nil
        #expect(messenger.deliveryBudget == 7)
        #expect(variable.deliveryBudget == nil)
        #expect(map.deliveryBudget == 1000)
    }

    /// If none relieves it, the send never returns: the others never stop sending before.
    @Test(arguments: [1, 7, 1000]) func aThreadThatDeliversForOthersIsRelievedAndTheOrderStays(budget: Int) {
        let messenger = Messenger<Int>(), isRelieved = Flag(), sent = Atomic(0)
        messenger.deliveryBudget = budget
        nonisolated(unsafe) var others: [Gate] = []
        nonisolated(unsafe) var last = [0, 0], isInOrder = true
        let observation = messenger.observe { (message: Int) in
            if message == 0 {
                others = (0..<2).map { sender in
                    onOtherThread {
                        var number = 0
                        while !isRelieved.isRaised {
                            number += 1
                            messenger.send(number * 2 + sender)
                            sent.add(1, ordering: .relaxed)
                        }
                    }
                }
                while sent.load(ordering: .relaxed) < 100 { sched_yield() }
                return
            }
            // Slower than two threads send.
            for _ in 0..<1000 { _ = sent.load(ordering: .relaxed) }
            isInOrder = isInOrder && message / 2 == last[message % 2] + 1
            last[message % 2] = message / 2
        }
        messenger.send(0)
        isRelieved.raise()
        for each in others { each.pass() }
        #expect(isInOrder)
        #expect(last[0] + last[1] == sent.load(ordering: .relaxed))
        observation.stop()
    }

    @Test func aThreadWithoutABudgetDeliversUntilNothingWaits() {
        let messenger = Messenger<Int>(), sent = Atomic(0), count = 20_000
        messenger.deliveryBudget = nil
        let here = ObjectIdentifier(Thread.current)
        nonisolated(unsafe) var received = 0, isHere = true
        nonisolated(unsafe) var other: Gate?
        let observation = messenger.observe { (message: Int) in
            if message == 0 {
                other = onOtherThread {
                    for _ in 0..<count {
                        messenger.send(1)
                        sent.add(1, ordering: .releasing)
                    }
                }
            }
            isHere = isHere && ObjectIdentifier(Thread.current) == here
            // So that always one waits.
            while sent.load(ordering: .acquiring) < min(count, received + 1) { sched_yield() }
            received += 1
        }
        messenger.send(0)
        other?.pass()
        #expect(isHere)
        #expect(received == count + 1)
        observation.stop()
    }
}
