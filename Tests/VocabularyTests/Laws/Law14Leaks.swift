// SPDX-License-Identifier: MIT

import TestSupport
import Testing

@Suite("Law 14: when everything is released nothing is left") struct Law14 {
    @Test(arguments: vocabularies(under: 14))
    func nothingIsLeft(_ vocabulary: any Vocabulary) {
        let living = leaks { track in
            let channel = vocabulary.makeChannel(of: Mortal.self)
            _ = track(channel, "channel")
            let captured = track(Mortal(), "captured")
            let kept = (0..<3).map { _ in
                channel.observe { [unowned channel] message in
                    withExtendedLifetime((captured, message, channel)) {}
                }
            }
            for one in kept { _ = track(one, "observation") }
            channel.send(track(Mortal(), "first message"))
            channel.send(track(Mortal(), "second message"))
            kept[0].stop()
        }
        #expect(living == [])
    }

    @Test(arguments: vocabularies(under: 14))
    func observersThatComeAndGoLeaveNothingBehind(_ vocabulary: any Vocabulary) {
        let channel = vocabulary.makeChannel(of: Int.self)
        let living = leaks { track in
            for round in 0..<500 {
                let captured = track(Mortal())
                let kept = channel.observe { _ in withExtendedLifetime(captured) {} }
                if round % 2 == 0 { kept.stop() }
                channel.send(round)
            }
            channel.send(0)
        }
        #expect(living == [])
    }
}
