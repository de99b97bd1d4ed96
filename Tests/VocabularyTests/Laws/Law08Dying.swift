// SPDX-License-Identifier: MIT

import TestSupport
import Testing

@Suite("Law 8: observations end when the observer or the observable dies") struct Law8 {
    @Test(arguments: vocabularies(under: 8))
    func anObserverThatDiesDuringADeliveryIsSkippedInIt(_ vocabulary: any Vocabulary) {
        let stage = Stage(vocabulary)
        stage.observe("first ") { stage, _ in stage.release(1) }
        stage.observe("second ")
        stage.channel.send(1)
        stage.release(0)
        stage.channel.send(2)
        #expect(stage.heard == ["first 1"])
    }

    @Test(arguments: vocabularies(under: 8))
    func whenTheObservableDiesItsHandlersAreLetGo(_ vocabulary: any Vocabulary) {
        var kept: (any Kept)?
        let living = leaks { track in
            let captured = track(Mortal())
            let channel = vocabulary.makeChannel(of: Int.self)
            kept = channel.observe { _ in withExtendedLifetime(captured) {} }
            channel.send(1)
        }
        #expect(living == [])
        kept?.stop()
    }
}
