// SPDX-License-Identifier: MIT

import SwiftObserver
import Testing
import TestSupport

@Suite("Law 4: any thread may do anything, and no message is lost") struct Law4 {
    /// Fault 6 of the published code: sending and observing on two threads crashed.
    @Test func noMessageOfManySendersIsLostDuplicatedOrReordered() {
        let messenger = Messenger<Sent>(), dog = Dog()
        let senders = 4, count = 5_000
        nonisolated(unsafe) var received: [[[Int]]] = Array(repeating: Array(repeating: [], count: senders), count: 3)
        for observer in 0..<3 {
            dog.observe(messenger) { received[observer][$0.sender].append($0.number) }
        }
        onThreads(senders) { sender in
            for number in 0..<count { messenger.send(Sent(sender: sender, number: number)) }
        }
        for observer in 0..<3 {
            for sender in 0..<senders { #expect(received[observer][sender] == Array(0..<count)) }
        }
    }

    @Test func allObserversSeeTheMessagesOfAllThreadsInTheSameOrder() {
        let messenger = Messenger<Int>(), dog = Dog()
        nonisolated(unsafe) var first: [Int] = []
        nonisolated(unsafe) var second: [Int] = []
        dog.observe(messenger) { first.append($0) }
        dog.observe(messenger) { second.append($0) }
        onThreads(4) { sender in
            for number in 0..<2_000 { messenger.send(sender * 1_000_000 + number) }
        }
        #expect(first.count == 8_000)
        #expect(first == second)
    }

    @Test func aSendThatFindsAnotherThreadDeliveringHandsItsMessageOver() {
        let messenger = Messenger<Int>(), dog = Dog()
        let entered = Gate(), release = Gate(), received = Recorder<Int>()
        dog.observe(messenger) { number in
            received.record(number)
            if number == 1 {
                entered.open()
                release.pass()
            }
        }
        let done = onOtherThread { messenger.send(1) }
        entered.pass()
        messenger.send(2)
        #expect(received.entries == [1])
        release.open()
        done.pass()
        #expect(received.entries == [1, 2])
    }

    /// Sending, observing, stopping, setting, asking and dying, all at once; those who stay miss nothing.
    @Test func aStormOfEverythingLosesNothing() {
        let messenger = Messenger<Int>(), number = Var(0), dog = Dog()
        let rounds = 1_500, senders = 2
        nonisolated(unsafe) var received = 0
        nonisolated(unsafe) var last = 0
        nonisolated(unsafe) var breaks = 0
        nonisolated(unsafe) var sum = 0
        let passing = Recorder<Void>()
        dog.observe(messenger) {
            received += 1; sum += $0
        }
        dog.observe(number) {
            if $0.old != last { breaks += 1 }
            last = $0.new
        }
        onThreads(senders + 3) { index in
            for round in 1...rounds {
                switch index {
                case 0..<senders:
                    messenger.send(round)
                    number.update { $0 += 1 }
                case senders:
                    let guest = Dog()
                    guest.observe(messenger) { _ in passing.record() }
                    guest.observe(number) { _ in passing.record() }
                    guest.stopObserving(messenger)
                case senders + 1:
                    let guest = Dog()
                    let one = guest.observe(messenger) { _ in passing.record() }
                    one.stopAndWait()
                    if one.isLiving || guest.isObserving(messenger) { passing.record() }
                default:
                    let shortLived = Messenger<Int>(), guest = Dog()
                    guest.observe(shortLived) { _ in passing.record() }
                    let mapped = number.new().map { $0 * 2 }
                    guest.observe(mapped) { _ in passing.record() }
                    number.update { $0 += 1 }
                }
            }
        }
        #expect(received == senders * rounds)
        #expect(sum == senders * rounds * (rounds + 1) / 2)
        #expect(number.value == (senders + 1) * rounds)
        #expect(last == number.value)
        #expect(breaks == 0)
    }

    private struct Sent {
        let sender: Int
        let number: Int
    }
}
