// SPDX-License-Identifier: MIT

import TestSupport
import Testing

/// If a lock were held in one of these, the test would wait for ever.
@Suite("Law 11: no lock is held while foreign code runs") struct Law11 {
    @Test(arguments: vocabularies(under: 11))
    func aHandlerMayDoEverything(_ vocabulary: any Vocabulary) {
        let channel = vocabulary.makeChannel(of: Int.self)
        var received: [Int] = []
        var late: (any Kept)?
        let kept = channel.observe { number in
            received.append(number)
            guard number == 1 else { return }
            channel.send(2)
            late = channel.observe { received.append($0 * 10) }
            channel.observe { _ in }.stop()
        }
        channel.send(1)
        withExtendedLifetime((kept, late)) {
            #expect(received == (channel.replaysLatest ? [1, 10, 2, 20] : [1, 2, 20]))
        }
    }

    @Test(arguments: vocabularies(under: 11))
    func whatAStoppedHandlerHeldMayUseTheObservableWhenItDies(_ vocabulary: any Vocabulary) {
        let channel = vocabulary.makeChannel(of: Int.self)
        var received: [Int] = []
        let kept = channel.observe { received.append($0) }
        func begin() -> any Kept {
            let mortal = Mortal { [unowned channel] in
                channel.send(7)
                channel.observe { _ in }.stop()
            }
            return channel.observe { _ in withExtendedLifetime(mortal) {} }
        }
        begin().stop()
        channel.send(1)
        withExtendedLifetime(kept) { #expect(received.sorted() == [1, 7]) }
    }

    @Test(arguments: vocabularies(under: 11))
    func aMessageMayUseTheObservableWhenItDies(_ vocabulary: any Vocabulary) {
        let channel = vocabulary.makeChannel(of: Mortal?.self)
        var deaths = 0
        let kept = channel.observe { _ in }
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
