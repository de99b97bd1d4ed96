// SPDX-License-Identifier: MIT

import SwiftObserver
import Testing
import TestSupport

@Suite("Blocking") struct BlockingTests {
    @Test(arguments: [true, false])
    func aBlockedObservableSendsNothing(inOrder: Bool) {
        let messenger = Messenger<Int>(), dog = Dog()
        messenger.maintainsMessageOrder = inOrder
        var received: [Int] = []
        dog.observe(messenger) { received.append($0) }
        messenger.send(1)
        messenger.block()
        #expect(messenger.isBlocked)
        messenger.send(2)
        messenger.block()
        messenger.unblock()
        messenger.send(3)
        messenger.unblock()
        #expect(!messenger.isBlocked)
        messenger.send(4)
        #expect(received == [1, 4])
    }

    @Test func aBlockedVariableChangesAllTheSame() {
        let number = Var(1), dog = Dog()
        var updates: [Update<Int>] = []
        dog.observe(number) { updates.append($0) }
        number.blocked { number <- 2 }
        #expect(number.value == 2)
        number <- 3
        #expect(updates == [Update(2, 3)])
    }

    @Test func whatWasSentBeforeArrives() {
        let messenger = Messenger<Int>(), dog = Dog()
        var received: [Int] = []
        dog.observe(messenger) { number in
            received.append(number)
            guard number == 1 else { return }
            messenger.send(2)
            messenger.block()
            messenger.send(3)
        }
        messenger.send(1)
        #expect(received == [1, 2])
    }

    @Test(arguments: [true, false])
    func aBlockedObservationReceivesNothingAndTheOthersDo(inOrder: Bool) {
        let messenger = Messenger<Int>(), dog = Dog()
        messenger.maintainsMessageOrder = inOrder
        var received: [String] = []
        let one = dog.observe(messenger) { received.append("one \($0)") }
        dog.observe(messenger) { received.append("other \($0)") }
        #expect(one.block() && one.block())
        #expect(one.isBlocked)
        messenger.send(1)
        #expect(one.unblock())
        messenger.send(2)
        #expect(one.unblock())
        #expect(!one.unblock())
        #expect(!one.isBlocked)
        messenger.send(3)
        one.blocked { messenger.send(4) }
        #expect(received == ["other 1", "other 2", "one 3", "other 3", "other 4"])
    }

    @Test func anObservationBlockedDuringADeliveryIsSkippedInIt() {
        let messenger = Messenger<Int>(), dog = Dog()
        var received: [Int] = []
        var second: ObservationHandle?
        dog.observe(messenger) { _ in second?.block() }
        second = dog.observe(messenger) { received.append($0) }
        messenger.send(1)
        #expect(received == [])
    }

    @Test func anEndedObservationCannotBeBlocked() {
        let messenger = Messenger<Int>(), dog = Dog()
        let observation = dog.observe(messenger) { _ in }
        observation.block()
        observation.stop()
        #expect(!observation.block() && !observation.unblock() && !observation.isBlocked)
        var received = 0
        let next = dog.observe(messenger) { _ in received += 1 }
        #expect(!next.isBlocked)
        messenger.send(1)
        #expect(received == 1)
    }

    @Test func blockingIsCountedOnManyThreads() {
        let messenger = Messenger<Int>(), dog = Dog()
        nonisolated(unsafe) var received = 0
        let observation = dog.observe(messenger) { _ in received += 1 }
        onThreads(4) { index in
            for _ in 0..<500 {
                if index == 0 {
                    messenger.send(1)
                } else {
                    observation.blocked { messenger.blocked { _ = messenger.isBlocked } }
                }
            }
        }
        #expect(!messenger.isBlocked && !observation.isBlocked)
        let before = received
        messenger.send(1)
        #expect(received == before + 1)
    }
}
