// SPDX-License-Identifier: MIT

import Testing

@Suite("Law 1: one message at a time, in the order sent") struct Law1 {
    @Test(arguments: vocabularies(under: 1))
    func messagesArriveInTheOrderSent(_ vocabulary: any Vocabulary) {
        let channel = vocabulary.makeChannel(of: Int.self)
        var received: [Int] = []
        let kept = channel.observe { received.append($0) }
        for number in 0..<100 { channel.send(number) }
        withExtendedLifetime(kept) { #expect(received == Array(0..<100)) }
    }

    /// Fault 9 of the published Receiver: a handler that broadcasted deadlocked.
    @Test(arguments: vocabularies(under: 1))
    func everyObserverHasBeenOfferedAMessageBeforeAnyIsOfferedTheNext(_ vocabulary: any Vocabulary) {
        let channel = vocabulary.makeChannel(of: Int.self)
        var received: [String] = []
        let kept = ["a", "b", "c"].map { name in
            channel.observe { number in
                received.append("\(name)\(number)")
                if name == "a", number < 3 { channel.send(number + 1) }
            }
        }
        channel.send(1)
        withExtendedLifetime(kept) {
            #expect(received == ["a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3"])
        }
    }
}
