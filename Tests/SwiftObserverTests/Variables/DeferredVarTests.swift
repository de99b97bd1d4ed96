// SPDX-License-Identifier: MIT

import Dispatch
import SwiftObserver
import Testing
import TestSupport

@Suite("DeferredVar") struct DeferredVarTests {
    @Test func outsideADeliveryAnAssignmentIsMadeAtOnce() {
        let number = DeferredVar(1)
        var received: [Update<Int>] = []
        let observation = number.observe { received.append($0) }
        number.value = 1
        number.value = 2
        #expect(number.value == 2)
        #expect(received == [Update(1, 2)])
        observation.stop()
    }

    @Test func anAssignmentWaitsUntilAllObserversHaveHandledTheUpdateBefore() {
        let number = DeferredVar(0)
        var seen: [[Int]] = []
        let first = number.observe { update in
            if update.new == 1 {
                number.value = 2
                number.value = 3
            }
            seen.append([1, update.new, number.value])
        }
        let second = number.observe { seen.append([2, $0.new, number.value]) }
        number.value = 1
        #expect(seen == [[1, 1, 1], [2, 1, 1], [1, 2, 2], [2, 2, 2], [1, 3, 3], [2, 3, 3]])
        first.stop()
        second.stop()
    }

    @Test func itsExampleHolds() {
        let level = DeferredVar(0)
        var lines: [String] = []
        let observation = level.observe { update in
            level.value = min(update.new, 10)
            lines.append("\(update.new) \(level.value)")
        }
        level.value = 12
        #expect(lines == ["12 12", "10 10"])
        observation.stop()
    }

    @Test func theAuthorGoesAlong() {
        final class Someone {}
        let number = DeferredVar<Int?>(), someone = Someone()
        var authors: [ObjectIdentifier] = []
        let observation = number.observe { update, author in
            authors.append(ObjectIdentifier(author))
            if update.new == 1 { number.set(2, author: someone) }
        }
        number.value = 1
        #expect(authors == [ObjectIdentifier(number), ObjectIdentifier(someone)])
        observation.stop()
    }

    @Test func whatWasSetIsDeliveredAlsoIfTheVariableDiesMeanwhile() {
        var number: DeferredVar<Int>? = DeferredVar(0)
        var received: [Int] = []
        let observation = number!.observe { update in
            received.append(update.new)
            number?.value = 2
            number = nil
        }
        number?.value = 1
        #expect(received == [1, 2])
        #expect(!observation.isLiving)
    }

    @Test func whatIsSetWhileAReplayIsReceivedWaits() {
        final class Watcher: Observer { let receiver = Receiver() }
        let number = DeferredVar(1), watcher = Watcher()
        var seen: [[Int]] = []
        watcher.observe(number, replaying: .latest) { update in
            if update.old == 1, update.new == 1 { number.value = 2 }
            seen.append([update.old, update.new, number.value])
        }
        #expect(seen == [[1, 1, 1], [1, 2, 2]])
    }

    @Test func aReplayInsideAHandlerWaitsForItsTurn() {
        final class Watcher: Observer { let receiver = Receiver() }
        let number = DeferredVar(0), watcher = Watcher()
        var seen: [[Int]] = []
        let observation = number.observe { update in
            guard update.new == 1 else { return }
            number.value = 2
            watcher.observe(number, replaying: .latest) { seen.append([$0.old, $0.new, number.value]) }
        }
        number.value = 1
        #expect(seen == [[2, 2, 2]])
        observation.stop()
    }

    @Test func nothingOfItIsLeft() {
        let leaked = leaks { track in
            let number = track(DeferredVar(track(Mortal())))
            let observation = number.observe { _ in }
            number.value = track(Mortal())
            observation.stop()
        }
        #expect(leaked.isEmpty)
    }

    @Test func threadsThatSetItWaitTheirTurn() {
        let number = DeferredVar(0), last = DeferredVar(0)
        var isChain = true
        let observation = number.observe { update in
            isChain = isChain && update.old == last.value && number.value == update.new
            last.value = update.new
        }
        DispatchQueue.concurrentPerform(iterations: 4) { thread in
            for count in 1...500 { number.value = thread * 1000 + count }
        }
        #expect(isChain)
        #expect(number.value == last.value)
        observation.stop()
    }
}
