// SPDX-License-Identifier: MIT

import TestSupport
import Testing

@Suite("Law 4: any thread may do anything, and no message is lost") struct Law4 {
    /// Fault 6 of the published SwiftObserver and MiniRex: it crashed.
    @Test(arguments: vocabularies(under: 4))
    func noMessageOfManySendersIsLostDuplicatedOrReordered(_ vocabulary: any Vocabulary) {
        let channel = vocabulary.makeChannel(of: Int.self), senders = 4, count = 2_000
        nonisolated(unsafe) var first: [Int] = []
        nonisolated(unsafe) var second: [Int] = []
        let kept = [channel.observe { first.append($0) }, channel.observe { second.append($0) }]
        onThreads(senders) { sender in
            for number in 0..<count { channel.send(sender * 1_000_000 + number) }
        }
        withExtendedLifetime(kept) {
            #expect(first == second)
            for sender in 0..<senders {
                #expect(
                    first.filter { $0 / 1_000_000 == sender } == (0..<count).map { sender * 1_000_000 + $0 })
            }
        }
    }

    @Test(arguments: vocabularies(under: 4))
    func aSendThatFindsAnotherThreadDeliveringHandsItsMessageOver(_ vocabulary: any Vocabulary) {
        let channel = vocabulary.makeChannel(of: Int.self)
        let entered = Gate(), release = Gate(), received = Recorder<Int>()
        let kept = channel.observe { number in
            received.record(number)
            if number == 1 {
                entered.open()
                release.pass()
            }
        }
        let done = onOtherThread { channel.send(1) }
        entered.pass()
        channel.send(2)
        #expect(received.entries == [1])
        release.open()
        done.pass()
        withExtendedLifetime(kept) { #expect(received.entries == [1, 2]) }
    }

    /// Sending, beginning, stopping and dying, all at once; those who stay miss nothing.
    @Test(arguments: vocabularies(under: 4))
    func aStormOfEverythingLosesNothing(_ vocabulary: any Vocabulary) {
        let channel = vocabulary.makeChannel(of: Int.self), senders = 2, rounds = 500
        nonisolated(unsafe) var sum = 0
        let passing = Recorder<Void>()
        let kept = channel.observe { sum += $0 }
        onThreads(senders + 3) { index in
            for round in 1...rounds {
                switch index {
                case 0..<senders: channel.send(round)
                case senders: channel.observe { _ in passing.record() }.stop()
                case senders + 1: _ = channel.observe { _ in passing.record() }
                default:
                    let shortLived = vocabulary.makeChannel(of: Int.self)
                    let guest = shortLived.observe { _ in passing.record() }
                    shortLived.send(round)
                    guest.stop()
                }
            }
        }
        withExtendedLifetime(kept) { #expect(sum == senders * rounds * (rounds + 1) / 2) }
    }
}
