// SPDX-License-Identifier: MIT

import TestSupport
import Testing

@Suite("Law 10: stopping is idempotent, and a stale handle harmless") struct Law10 {
    @Test(arguments: vocabularies(under: 10))
    func stoppingTwiceStopsNobodyElse(_ vocabulary: any Vocabulary) {
        let channel = vocabulary.makeChannel(of: Int.self)
        var received: [Int] = []
        let stale = (0..<200).map { _ in channel.observe { _ in } }
        for one in stale { one.stop() }
        let kept = (0..<200).map { number in channel.observe { _ in received.append(number) } }
        for one in stale { one.stop() }
        channel.send(1)
        withExtendedLifetime(kept) { #expect(received == Array(0..<200)) }
    }

    @Test(arguments: vocabularies(under: 10))
    func stoppingWhatADeadObservableHadIsHarmless(_ vocabulary: any Vocabulary) {
        func make() -> any Kept { vocabulary.makeChannel(of: Int.self).observe { _ in } }
        let kept = make()
        kept.stop()
        kept.stop()
    }
}
