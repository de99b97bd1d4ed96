// SPDX-License-Identifier: MIT

import SwiftObserver
import Testing
import TestSupport

@Suite("Law 10: stopping is idempotent, and a stale handle harmless") struct Law10 {
    @Test func theSecondStopFindsNothing() {
        let messenger = Messenger<Int>(), dog = Dog()
        let observation = dog.observe(messenger) { _ in }
        #expect(observation.stop())
        #expect(!observation.stop())
        #expect(!observation.stopAndWait())
        #expect(!observation.isLiving)
        dog.stopObserving(messenger)
        dog.stopObserving(messenger)
        dog.stopObserving()
        dog.stopObserving()
    }

    @Test func aStaleHandleNamesNoLaterObservation() {
        let messenger = Messenger<Int>(), dog = Dog()
        var stale: [ObservationHandle] = []
        for _ in 0..<2_000 {
            let observation = dog.observe(messenger) { _ in }
            observation.stop()
            stale.append(observation)
        }
        var received = 0
        let living = dog.observe(messenger) { _ in received += 1 }
        for observation in stale { #expect(!observation.stop()) }
        messenger.send(1)
        #expect(received == 1)
        #expect(living.isLiving)
        #expect(Set(stale).count == 2_000)
    }

    @Test func aHandleOutlivesEverythingItNamed() {
        func make() -> ObservationHandle { Dog().observe(Messenger<Int>()) { _ in } }
        let observation = make()
        #expect(!observation.isLiving)
        #expect(!observation.stop())
    }

    @Test func onlyOneOfManyThreadsStopsAnObservation() {
        let messenger = Messenger<Int>(), dog = Dog()
        for _ in 0..<100 {
            let observation = dog.observe(messenger) { _ in }
            let stopped = Recorder<Void>()
            onThreads(3) { _ in if observation.stop() { stopped.record() } }
            #expect(stopped.count == 1)
        }
    }
}
