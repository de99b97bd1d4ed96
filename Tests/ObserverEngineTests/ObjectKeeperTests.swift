// SPDX-License-Identifier: MIT

import Foundation
import ObserverEngine
import Testing
import TestSupport

@Suite struct ObjectKeeperTests {
    final class Closing {
        let core = Core<KeptClosure<Int>>()
        deinit { core.close() }
    }

    @Test func aDeadObjectReceivesNothing() {
        let source = Closing()
        var received: [Int] = []
        var object: Mortal? = Mortal()
        source.core.observe(keptBy: object!) { received.append($0) }
        _ = source.core.send(1, author: ())
        object = nil
        _ = source.core.send(2, author: ())
        #expect(received == [1])
        #expect(source.core.observationCount == 0)
    }

    /// References that are counted elsewhere: weak ones make the runtime do that.
    @Test func aDeadObjectWithWeakReferencesReceivesNothing() {
        let source = Closing()
        var received: [Int] = []
        var object: Mortal? = Mortal()
        weak let reference = object
        source.core.observe(keptBy: object!) { received.append($0) }
        _ = source.core.send(1, author: ())
        #expect(reference != nil)
        object = nil
        _ = source.core.send(2, author: ())
        #expect(received == [1])
    }

    @Test func theFirstMessageAfterDeathStopsAllObservationsOfTheObject() {
        let source = Closing(), other = Closing()
        var object: Mortal? = Mortal()
        source.core.observe(keptBy: object!) { _ in }
        source.core.observe(keptBy: object!) { _ in }
        other.core.observe(keptBy: object!) { _ in }
        object = nil
        _ = source.core.send(1, author: ())
        #expect(source.core.observationCount == 0)
        #expect(other.core.observationCount == 0)
    }

    @Test func anObjectThatIsDyingBeginsNothing() {
        final class Late {
            let source: Closing
            init(_ source: Closing) { self.source = source }
            deinit { source.core.observe(keptBy: self) { _ in Issue.record("received") } }
        }
        let source = Closing()
        _ = Late(source)
        #expect(source.core.observationCount == 0)
        _ = source.core.send(1, author: ())
    }

    @Test func anObjectThatIsDyingStopsItsObservations() {
        final class Tidy {
            deinit { ObjectKeeper.stopObservations(of: self) }
        }
        let source = Closing()
        var object: Tidy? = Tidy()
        source.core.observe(keptBy: object!) { _ in }
        object = nil
        #expect(source.core.observationCount == 0)
    }

    @Test func stoppingTheObservationsAtOneCoreLeavesTheOthers() {
        let source = Closing(), other = Closing(), object = Mortal()
        source.core.observe(keptBy: object) { _ in }
        other.core.observe(keptBy: object) { _ in }
        ObjectKeeper.stopObservations(of: object, at: source.core)
        #expect(source.core.observationCount == 0)
        #expect(other.core.observationCount == 1)
    }

    @Test func theMemoryOfADeadObjectIsNotTakenForAnotherObject() {
        let source = Closing()
        var received = 0
        for _ in 0..<100 {
            let object = Mortal()
            source.core.observe(keptBy: object) { _ in received += 1 }
        }
        // If the memory were used again, some of the dead would seem to live.
        let objects = (0..<100).map { _ in Mortal() }
        _ = source.core.send(1, author: ())
        #expect(received == 0)
        withExtendedLifetime(objects) {}
    }

    /// In a process of its own, where no other test makes room for keepers, or counts them.
    @Test func theDeadAreNeverManyMoreThanTheLiving() async {
        await #expect(processExitsWith: .success) {
            let source = Closing()
            for _ in 0..<10_000 { source.core.observe(keptBy: Mortal()) { _ in } }
            let shelves = 16, room = 16
            guard source.core.observationCount <= shelves * (room + 1) else { exit(1) }
        }
    }

    @Test func whenAllIsReleasedNoKeeperIsLeft() async {
        await #expect(processExitsWith: .success) {
            do {
                let source = Closing(), object = Mortal()
                for _ in 0..<100 { source.core.observe(keptBy: Mortal()) { _ in } }
                source.core.observe(keptBy: object) { _ in }
                guard ObjectKeeper.count > 1 else { exit(1) }
            }
            guard ObjectKeeper.count == 0 else { exit(2) }
        }
    }

    @Test func observersComeAndGoOnManyThreads() {
        let source = Closing()
        let core = source.core
        onThreads(4) { thread in
            for round in 0..<500 {
                if thread == 0 {
                    _ = core.send(round, author: ())
                } else {
                    let object = Mortal()
                    core.observe(keptBy: object) { _ in }
                    core.observe(keptBy: object) { _ in }
                    if round % 2 == 0 { ObjectKeeper.stopObservations(of: object) }
                }
            }
        }
        ObjectKeeper.stopAllAbandoned()
        #expect(source.core.observationCount == 0)
    }
}
