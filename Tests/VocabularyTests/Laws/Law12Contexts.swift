// SPDX-License-Identifier: MIT

import TestSupport
import Testing

@Suite("Law 12: what a handler holds is let go once, after its last call") struct Law12 {
    @Test(arguments: vocabularies(under: 12))
    func aHandlerThatStopsItselfKeepsWhatItHoldsUntilItReturns(_ vocabulary: any Vocabulary) {
        let channel = vocabulary.makeChannel(of: Int.self)
        var log: [String] = []
        var kept: (any Kept)?
        func begin() {
            let mortal = Mortal { log.append("let go") }
            kept = channel.observe { _ in
                kept?.stop()
                log.append("still here")
                withExtendedLifetime(mortal) {}
            }
        }
        begin()
        channel.send(1)
        channel.send(2)
        #expect(log == ["still here", "let go"])
    }

    @Test(arguments: vocabularies(under: 12))
    func everyHandlerIsLetGoOnce(_ vocabulary: any Vocabulary) {
        var deaths = 0
        func live() {
            let channel = vocabulary.makeChannel(of: Int.self)
            let kept = (0..<50).map { _ in
                let mortal = Mortal { deaths += 1 }
                return channel.observe { _ in withExtendedLifetime(mortal) {} }
            }
            for (number, one) in kept.enumerated() where number % 2 == 0 { one.stop() }
            channel.send(1)
        }
        live()
        #expect(deaths == 50)
    }
}
