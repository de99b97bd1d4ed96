// SPDX-License-Identifier: MIT

import Testing

@Suite("Law 9: the same observable can be observed any number of times") struct Law9 {
    /// Fault 3 of the published SwiftObserver: the second replaced the first.
    @Test(arguments: vocabularies(under: 9))
    func nothingIsReplaced(_ vocabulary: any Vocabulary) {
        let channel = vocabulary.makeChannel(of: Int.self)
        var received: [String] = []
        let kept = ["first", "second", "third"].map { name in channel.observe { received.append("\(name) \($0)") } }
        channel.send(1)
        kept[1].stop()
        channel.send(2)
        #expect(received == ["first 1", "second 1", "third 1", "first 2", "third 2"])
    }

    /// Fault 7 of the published Receiver: its keys were random, and two could be the same.
    @Test(arguments: vocabularies(under: 9))
    func aHundredThousandNeverOverwriteOneAnother(_ vocabulary: any Vocabulary) {
        let channel = vocabulary.makeChannel(of: Int.self)
        var received = 0
        let kept = (0..<100_000).map { _ in channel.observe { received += $0 } }
        channel.send(1)
        withExtendedLifetime(kept) { #expect(received == 100_000) }
    }
}
