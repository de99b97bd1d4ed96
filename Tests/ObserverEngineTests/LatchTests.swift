// SPDX-License-Identifier: MIT

import CPlatform
import Foundation
import TestSupport
import Testing

@Suite("A latch") struct LatchTests {
    /// Long enough now and then that the others do not only spin, but sleep.
    @Test(arguments: [2, 4])
    func letsOneThreadInAtATimeAndForgetsNone(threads: Int) {
        let counted = Counted(), rounds = 20_000
        onThreads(threads) { _ in
            for round in 0..<rounds {
                platform_latch_enter(counted.latch)
                counted.count += 1
                if round % 64 == 0 { for _ in 0..<300 { platform_pause() } }
                platform_latch_leave(counted.latch)
            }
        }
        #expect(counted.count == threads * rounds)
    }

    @Test func whoWaitsSleepsUntilItIsLeft() {
        let counted = Counted()
        platform_latch_enter(counted.latch)
        let isIn = onOtherThread {
            platform_latch_enter(counted.latch)
            counted.count += 1
            platform_latch_leave(counted.latch)
        }
        giveWay(until: isIn)
        #expect(counted.count == 0)
        platform_latch_leave(counted.latch)
        isIn.pass()
        #expect(counted.count == 1)
    }

    /// - Note: `@unchecked Sendable`: guarded by the latch.
    private final class Counted: @unchecked Sendable {
        let latch = platform_latch_new()!
        var count = 0

        deinit { platform_latch_free(latch) }
    }
}
