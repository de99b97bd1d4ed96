// SPDX-License-Identifier: MIT

import ObserverEngine
import TestSupport
import Testing

@Suite("Abandoned observations are swept away") struct SweeperTests {
    private func observe(_ core: Core<BoundHandler<Int>>, _ observer: Mortal, disposer: AnyObject? = nil) {
        core.observe { id in
            let bond = ObserverBond(of: id, observer, disposer: disposer)
            return BoundHandler(bond: bond) { _ in bond.withObserver { _ in } }
        }
    }

    @Test func onlyTheAbandonedAreStopped() {
        let core = Core<BoundHandler<Int>>(), living = Mortal()
        observe(core, living)
        observe(core, Mortal())
        observe(core, living, disposer: Mortal())
        _ = core.observe(BoundHandler(bond: nil) { _ in })
        #expect(core.stopAbandoned { $0.bond?.isBroken == true })
        #expect(core.observationCount == 2)
        #expect(!core.stopAbandoned { $0.bond?.isBroken == true })
        core.close()
    }

    @Test func theDeadAreNeverManyMoreThanTheLiving() {
        let core = Core<BoundHandler<Int>>(), sweeper = Sweeper(), living = (0..<100).map { _ in Mortal() }
        var most = 0
        for round in 0..<2_000 {
            sweeper.sweep(core) { $0.bond?.isBroken == true }
            observe(core, round % 20 == 0 ? living[round / 20] : Mortal())
            most = max(most, core.observationCount)
        }
        #expect(most <= 220)
        withExtendedLifetime(living) { core.close() }
    }

    @Test func aDeadObserverIsLetGoOfByTheMessageThatFindsIt() {
        let core = Core<BoundHandler<Int>>()
        core.observe { id in
            let bond = ObserverBond(of: id, Mortal(), disposer: nil)
            return BoundHandler(bond: bond) { _ in bond.withObserver { _ in Issue.record("dead") } }
        }
        _ = core.send(1, author: ())
        #expect(core.observationCount == 0)
        core.close()
    }

    @Test func anObserverInItsDeinitIsDead() {
        final class Dying {
            let body: (Dying) -> Void
            init(_ body: @escaping (Dying) -> Void) { self.body = body }
            deinit { body(self) }
        }
        var bond: ObserverBond<Dying>?
        var calls = 0
        do {
            let dying = Dying { _ in bond?.withObserver { _ in calls += 1 } }
            bond = ObserverBond(of: ObservationID(rawValue: 0), dying, disposer: nil)
            bond?.withObserver { _ in calls += 10 }
        }
        #expect(calls == 10 && bond?.isBroken == true)
    }
}
