// SPDX-License-Identifier: MIT

import Foundation
import SwiftObserver5
import Testing
import TestSupport

@Suite("Seed: Memory Management") struct MemoryManagement {
    @Test func oneObservationIsStoppedOrAll() {
        let dog = Dog(), sky = Sky(), other = Sky()
        dog.observe(sky) { dog.hear($0) }
        dog.observe(other) { dog.hear($0) }
        dog.stopObserving(sky)
        sky.send(.blue)
        other.send(.grey)
        dog.stopObserving()
        other.send(.blue)
        #expect(dog.heard == ["grey"])
    }

    @Test func anObserverThatStopsInDeinitLetsGoOfEverythingAtOnce() {
        final class Puppy: Observer {
            deinit { stopObserving() }
        }
        let sky = Sky()
        let leaked = leaks { track in
            let puppy = Puppy(), mortal = track(Mortal())
            puppy.observe(sky) { _ in withExtendedLifetime(mortal) {} }
            puppy.observe(sky).map { "\($0)" }.receive { _ in withExtendedLifetime(mortal) {} }
        }
        #expect(leaked.isEmpty)
    }

    @Test func anObservableStopsItsObservations() {
        let dog = Dog(), cat = Dog(), number = Var(1)
        dog.observe(number) { dog.hear($0.new) }
        cat.observe(number).new().receive { cat.hear($0) }
        number.stopObservations()
        number <- 2
        #expect(dog.heard.isEmpty)
        #expect(cat.heard.isEmpty)
        dog.observe(number) { dog.hear($0.new) }
        number <- 3
        #expect(dog.heard == ["3"])
    }

    /// In a process of its own, for any test may erase what all have left.
    @Test func whatADeadObserverLeftCanBeErased() async {
        await #expect(processExitsWith: .success) {
            let number = Var(1), other = Var(1)
            let left = Tracker()
            for (variable, name) in [(number, "number"), (other, "other")] {
                let mortal = left(Mortal(), name)
                Dog().observe(variable) { _ in withExtendedLifetime(mortal) {} }
            }
            guard left.living == ["number", "other"] else { exit(1) }
            number.stopAbandonedObservations()
            guard left.living == ["other"] else { exit(2) }
            stopAllAbandonedObservations()
            guard left.living.isEmpty else { exit(3) }
        }
    }

    @Test func whatALivingObserverDoesIsNotErased() {
        let number = Var(1), dog = Dog()
        dog.observe(number) { dog.hear($0.new) }
        number.stopAbandonedObservations()
        stopAllAbandonedObservations()
        number <- 2
        #expect(dog.heard == ["2"])
    }
}
