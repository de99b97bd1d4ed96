// SPDX-License-Identifier: MIT

import Testing

@Suite("Law 9: the same observable can be observed any number of times") struct Law9 {
    /// Fault 3 of the published SwiftObserver: the second replaced the first.
    @Test(arguments: vocabularies(under: 9))
    func nothingIsReplaced(_ vocabulary: any Vocabulary) {
        let stage = Stage(vocabulary)
        for name in ["a", "b", "c"] { stage.observe(name) }
        stage.channel.send(1)
        stage.stop(1)
        stage.channel.send(2)
        #expect(stage.heard == ["a1", "b1", "c1", "a2", "c2"])
    }

    /// Fault 7 of the published Receiver: its keys were random, and two could be the same.
    @Test(arguments: vocabularies(under: 9))
    func aHundredThousandNeverOverwriteOneAnother(_ vocabulary: any Vocabulary) {
        let stage = Stage(vocabulary)
        var received = 0
        for _ in 0..<100_000 { stage.observe { received += $1 } }
        stage.channel.send(1)
        #expect(received == 100_000)
    }
}
