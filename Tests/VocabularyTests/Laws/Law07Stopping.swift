// SPDX-License-Identifier: MIT

import TestSupport
import Testing

@Suite("Law 7: once stop has returned no new call of the handler begins") struct Law7 {
    @Test(arguments: vocabularies(under: 7))
    func aStoppedObservationReceivesNothing(_ vocabulary: any Vocabulary) {
        let channel = vocabulary.makeChannel(of: Int.self)
        var received: [Int] = []
        let kept = channel.observe { received.append($0) }
        channel.send(1)
        kept.stop()
        channel.send(2)
        #expect(received == [1])
    }

    /// Fault 5 of the published SwiftObserver: it was logged as an error.
    @Test(arguments: vocabularies(under: 7))
    func anObservationStoppedDuringADeliveryIsSkippedInThatDelivery(_ vocabulary: any Vocabulary) {
        let channel = vocabulary.makeChannel(of: Int.self)
        var received: [String] = []
        var second: (any Kept)?
        let first = channel.observe { _ in second?.stop() }
        second = channel.observe { received.append("second \($0)") }
        let third = channel.observe { received.append("third \($0)") }
        channel.send(1)
        withExtendedLifetime((first, third)) { #expect(received == ["third 1"]) }
    }

    @Test(arguments: vocabularies(under: 7))
    func anObservationCanStopItself(_ vocabulary: any Vocabulary) {
        let channel = vocabulary.makeChannel(of: Int.self)
        var received: [Int] = []
        var kept: (any Kept)?
        kept = channel.observe {
            received.append($0)
            kept?.stop()
        }
        channel.send(1)
        channel.send(2)
        #expect(received == [1])
    }

    @Test(arguments: vocabularies(under: 7))
    func queuedMessagesDoNotReachAStoppedObservation(_ vocabulary: any Vocabulary) {
        let channel = vocabulary.makeChannel(of: Int.self)
        var received: [Int] = []
        var kept: (any Kept)?
        kept = channel.observe { number in
            received.append(number)
            guard number == 1 else { return }
            channel.send(2)
            kept?.stop()
        }
        channel.send(1)
        #expect(received == [1])
    }

    @Test(arguments: vocabularies(under: 7))
    func stoppingDoesNotWaitForACallOnAnotherThread(_ vocabulary: any Vocabulary) {
        let channel = vocabulary.makeChannel(of: Int.self), entered = Gate(), stopped = Gate()
        let kept = channel.observe { _ in
            entered.open()
            stopped.pass()
        }
        let sending = onOtherThread { channel.send(1) }
        entered.pass()
        kept.stop()
        stopped.open()
        sending.pass()
    }
}
