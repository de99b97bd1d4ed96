// SPDX-License-Identifier: MIT

import Dispatch
import TestSupport
import Testing

@Suite("Law 23: delivery is chosen per observation") struct Law23 {
    @Test(arguments: vocabularies(under: 23))
    func theOrderIsKeptOnAQueueThatRunsJobsSideBySide(_ vocabulary: any Vocabulary) {
        let queue = DispatchQueue(label: "test", attributes: .concurrent)
        let channel = vocabulary.makeChannel(deliveringOn: queue), received = Recorder<Int>(), done = Gate()
        let kept = channel.observe {
            received.record($0)
            if $0 == 999 { done.open() }
        }
        for number in 0..<1_000 { channel.send(number) }
        done.pass()
        withExtendedLifetime(kept) { #expect(received.entries == Array(0..<1_000)) }
    }

    @Test(arguments: vocabularies(under: 23))
    func whatWaitsOnTheQueueDoesNotArriveAfterStop(_ vocabulary: any Vocabulary) {
        let queue = DispatchQueue(label: "test")
        let channel = vocabulary.makeChannel(deliveringOn: queue), received = Recorder<Int>()
        let kept = channel.observe { received.record($0) }
        channel.send(1)
        queue.sync {}
        queue.suspend()
        channel.send(2)
        kept.stop()
        queue.resume()
        queue.sync {}
        #expect(received.entries == [1])
    }

    @Test(arguments: vocabularies(under: 23))
    func whatBeginsOnAQueueReceivesItsReplayThereUnlessItIsStoppedBefore(_ vocabulary: any Vocabulary) {
        let queue = DispatchQueue(label: "test")
        guard let channel = vocabulary.makeChannel(beginningOn: queue) else { return }
        let received = Recorder<Int>()
        channel.send(1)
        queue.suspend()
        let stopped = channel.observe { received.record($0) }
        let kept = channel.observe { received.record($0 * 10) }
        channel.send(2)
        #expect(received.entries == [])
        stopped.stop()
        queue.resume()
        queue.sync {}
        #expect(received.entries == [20])
        channel.send(3)
        withExtendedLifetime(kept) { #expect(received.entries == [20, 30]) }
    }
}
