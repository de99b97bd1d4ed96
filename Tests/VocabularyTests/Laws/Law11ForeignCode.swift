// SPDX-License-Identifier: MIT

import TestSupport
import Testing

/// If a lock were held in one of these, the test would wait for ever.
@Suite("Law 11: no lock is held while foreign code runs") struct Law11 {
    @Test(arguments: vocabularies(under: 11))
    func aHandlerMayDoEverything(_ vocabulary: any Vocabulary) {
        let stage = Stage(vocabulary)
        stage.observe("a") { stage, number in
            guard number == 1 else { return }
            stage.channel.send(2)
            stage.observe("late ")
            stage.channel.observe { _ in }.stop()
        }
        stage.channel.send(1)
        #expect(stage.heard == ["a1"] + (stage.channel.replaysLatest ? ["late 1"] : []) + ["a2", "late 2"])
    }

    @Test(arguments: vocabularies(under: 11))
    func whatAStoppedHandlerHeldMayUseTheObservableWhenItDies(_ vocabulary: any Vocabulary) {
        let stage = Stage(vocabulary)
        stage.observe("")
        func begin() -> any Kept {
            let mortal = Mortal { [unowned stage] in
                stage.channel.send(7)
                stage.channel.observe { _ in }.stop()
            }
            return stage.channel.observe { _ in withExtendedLifetime(mortal) {} }
        }
        begin().stop()
        stage.channel.send(1)
        #expect(stage.heard.sorted() == ["1", "7"])
    }

    @Test(arguments: vocabularies(under: 11))
    func aMessageMayUseTheObservableWhenItDies(_ vocabulary: any Vocabulary) {
        let channel = vocabulary.makeChannel(of: Mortal?.self), kept = channel.observe { _ in }
        var deaths = 0
        for _ in 0..<3 {
            channel.send(
                Mortal { [unowned channel] in
                    deaths += 1
                    channel.observe { _ in }.stop()
                })
        }
        channel.send(nil)
        withExtendedLifetime(kept) { #expect(deaths == 3) }
    }
}
