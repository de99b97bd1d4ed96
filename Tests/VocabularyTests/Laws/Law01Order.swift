// SPDX-License-Identifier: MIT

import Testing

@Suite("Law 1: one message at a time, in the order sent") struct Law1 {
    @Test(arguments: vocabularies(under: 1))
    func messagesArriveInTheOrderSent(_ vocabulary: any Vocabulary) {
        let stage = Stage(vocabulary)
        stage.observe("")
        for number in 0..<100 { stage.channel.send(number) }
        #expect(stage.heard == (0..<100).map { "\($0)" })
    }

    /// Fault 9 of the published Receiver: a handler that broadcasted deadlocked.
    @Test(arguments: vocabularies(under: 1))
    func everyObserverHasBeenOfferedAMessageBeforeAnyIsOfferedTheNext(_ vocabulary: any Vocabulary) {
        let stage = Stage(vocabulary)
        stage.observe("a") { stage, number in if number < 3 { stage.channel.send(number + 1) } }
        for name in ["b", "c"] { stage.observe(name) }
        stage.channel.send(1)
        #expect(stage.heard == ["a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3"])
    }
}
