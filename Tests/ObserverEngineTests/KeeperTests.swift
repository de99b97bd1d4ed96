// SPDX-License-Identifier: MIT

import ObserverEngine
import Testing
import TestSupport

@Suite struct KeeperTests {
    @Test func whatAKeeperKeepsEndsWithIt() {
        let observed = Observed()
        var keeper: Keeper? = Keeper()
        let kept = observed.observe { _ in }, other = observed.observe { _ in }
        keeper!.keep(kept)
        keeper = nil
        #expect(!kept.isLiving)
        #expect(other.isLiving)
    }

    @Test func aKeeperStopsTheObservationsOfOneCore() {
        let one = Observed(), other = Observed(), keeper = Keeper()
        let ids = [one.observe { _ in }, other.observe { _ in }, one.observe { _ in }]
        ids.forEach(keeper.keep)
        #expect(keeper.stop(one.core))
        #expect(ids.map(\.isLiving) == [false, true, false])
        #expect(!keeper.stop(one.core))
        #expect(!keeper.isObserving(one.core))
        #expect(keeper.isObserving(other.core))
    }

    @Test func aKeeperCanBeUsedAgainAfterItHasStoppedEverything() {
        let observed = Observed(), keeper = Keeper()
        keeper.keep(observed.observe { _ in })
        #expect(keeper.stopAll())
        #expect(!keeper.stopAll())
        keeper.keep(observed.observe { _ in })
        #expect(keeper.isObserving(observed.core))
    }

    @Test func manyThreadsMayUseOneKeeper() {
        let observed = Observed(), keeper = Keeper()
        let core = observed.core
        onThreads(4) { index in
            for _ in 0..<500 {
                keeper.keep(core.observe(TestHandler { _, _ in }))
                if index == 0 { keeper.stop(core) }
                if index == 1 { _ = keeper.isObserving(core) }
            }
        }
        keeper.stopAll()
        #expect(observed.core.isEmpty)
    }
}
