// SPDX-License-Identifier: MIT

import SwiftObserver
import Testing
import TestSupport

// What all vocabularies have in common of the laws is tested by VocabularyTests, and here what only this one can show.

@Suite("Laws 1 to 4: order, re-entrancy, threads") struct Laws1To4 {
    let messenger = Messenger<Int>(), dog = Dog()

    @Test func aCustomObservableKeepsTheOrderToo() {
        final class Model: SwiftObserver.Observable, Sendable { let messenger = Messenger<String?>() }
        let model = Model()
        dog.observe(model) { if $0 == "a" { model.send(nil) } }
        dog.observe(model) { dog.hear($0 ?? "nil") }
        model.send("a")
        model.send("b")
        #expect(dog.heard == ["a", "nil", "b"])
    }

    /// Sending, observing, stopping, setting, asking and dying, all at once; those who stay miss nothing.
    @Test func aStormOfEverythingLosesNothing() {
        let messenger = Messenger<Int>(), number = Var(0), rounds = 1_500, senders = 2
        nonisolated(unsafe) var received = 0, last = 0, breaks = 0, sum = 0
        let passing = Recorder<Void>()
        dog.observe(messenger) {
            received += 1
            sum += $0
        }
        dog.observe(number) {
            if $0.old != last { breaks += 1 }
            last = $0.new
        }
        onThreads(senders + 3) { index in
            for round in 1...rounds {
                let guest = Dog()
                switch index {
                case 0..<senders:
                    messenger.send(round)
                    number.update { $0 += 1 }
                case senders:
                    guest.observe(messenger) { _ in passing.record() }
                    guest.observe(number) { _ in passing.record() }
                    guest.stopObserving(messenger)
                case senders + 1:
                    let one = guest.observe(messenger) { _ in passing.record() }
                    one.stopAndWait()
                    if one.isLiving || guest.isObserving(messenger) { passing.record() }
                default:
                    let shortLived = Messenger<Int>(), mapped = number.new().map { $0 * 2 }
                    guest.observe(shortLived) { _ in passing.record() }
                    guest.observe(mapped) { _ in passing.record() }
                    number.update { $0 += 1 }
                }
            }
        }
        #expect(received == senders * rounds && sum == senders * rounds * (rounds + 1) / 2)
        #expect(number.value == (senders + 1) * rounds && last == number.value && breaks == 0)
    }
}
