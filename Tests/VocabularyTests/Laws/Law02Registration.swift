// SPDX-License-Identifier: MIT

import Testing

@Suite("Law 2: observers are offered a message in the order in which they began") struct Law2 {
    /// Fault 4 of the published SwiftObserver: the order was random.
    @Test(arguments: vocabularies(under: 2))
    func observersReceiveInTheOrderOfTheirBeginningAlsoWhenOthersLeave(_ vocabulary: any Vocabulary) {
        let stage = Stage(vocabulary)
        for number in 0..<200 { stage.observe("\(number):") }
        stage.channel.send(1)
        #expect(stage.heard == (0..<200).map { "\($0):1" })
        for number in 0..<200 where number % 3 != 0 { stage.stop(number) }
        for number in 200..<210 { stage.observe("\(number):") }
        let before = stage.heard.count
        stage.channel.send(2)
        // Those that begin may receive the latest message first.
        let expected = ((0..<200).filter { $0 % 3 == 0 } + Array(200..<210)).map { "\($0):2" }
        #expect(stage.heard.dropFirst(before) == expected[...])
    }
}
