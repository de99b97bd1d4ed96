// SPDX-License-Identifier: MIT

import Testing

@Suite("Law 9: the same observable can be observed any number of times") struct Law9 {
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
