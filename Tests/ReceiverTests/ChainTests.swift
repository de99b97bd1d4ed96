// SPDX-License-Identifier: MIT

import Receiver
import Testing
import TestSupport

@Suite("Long chains of receivers take no stack") struct ChainTests {
    private final class Bearer {}

    private func chain(_ bearer: Bearer, _ receiver: Receiver<Int>) -> Receiver<Int> {
        var last = receiver
        for _ in 0..<10_000 {
            last = last.map {
                withExtendedLifetime(bearer) {}
                return $0 + 1
            }
        }
        return last
    }

    @Test func theyAreReleasedInALoop() {
        onSmallStack {
            let leaked = leaks { track in
                let (transmitter, receiver) = Receiver<Int>.make()
                withExtendedLifetime((transmitter, chain(track(Bearer()), receiver))) {}
            }
            #expect(leaked.isEmpty)
        }
    }

    @Test func aWaveGoesThroughThemInALoop() {
        onSmallStack {
            let (transmitter, receiver) = Receiver<Int>.make()
            var received: [Int] = []
            chain(Bearer(), receiver).listen { received.append($0) }
            transmitter.broadcast(1)
            #expect(received == [10_001])
        }
    }
}
