// SPDX-License-Identifier: MIT

import Testing

@Suite("Law 10: stopping is idempotent, and a stale handle harmless") struct Law10 {
    @Test(arguments: vocabularies(under: 10))
    func stoppingTwiceStopsNoOther(_ vocabulary: any Vocabulary) {
        let stage = Stage(vocabulary)
        for _ in 0..<200 { stage.observe("stale ") }
        for place in 0..<200 { stage.stop(place) }
        for number in 0..<200 { stage.observe("\(number):") }
        for place in 0..<200 { stage.stop(place) }
        stage.channel.send(1)
        #expect(stage.heard == (0..<200).map { "\($0):1" })
    }

    @Test(arguments: vocabularies(under: 10))
    func stoppingWhatADeadObservableHadIsHarmless(_ vocabulary: any Vocabulary) {
        func make() -> any Kept { vocabulary.makeChannel(of: Int.self).observe { _ in } }
        let kept = make()
        kept.stop()
        kept.stop()
    }
}
