// SPDX-License-Identifier: MIT

import TestSupport
import Testing

@Suite("Law 13: neither keeps the other alive") struct Law13 {
    @Test(arguments: vocabularies(under: 13))
    func anObservationDoesNotKeepItsObservable(_ vocabulary: any Vocabulary) {
        var kept: (any Kept)?
        let living = leaks { track in
            let channel = vocabulary.makeChannel(of: Mortal.self)
            kept = channel.observe { _ in }
            channel.send(track(Mortal()))
            _ = track(channel, "channel")
        }
        withExtendedLifetime(kept) { #expect(living == []) }
    }

    @Test(arguments: vocabularies(under: 13))
    func anObservableDoesNotKeepItsObserver(_ vocabulary: any Vocabulary) {
        let channel = vocabulary.makeChannel(of: Int.self)
        let living = leaks { track in
            let kept = channel.observe { _ in }
            _ = track(kept, "observer")
            channel.send(1)
        }
        #expect(living == [])
    }
}
