// SPDX-License-Identifier: MIT

import SwiftObserver5
import Testing
import TestSupport

@Suite("Seed: Memory Management") struct MemoryManagement {
    @Test func anObservationIsStoppedWhenItIsNoLongerNeeded() {
        let dog = Dog(), sky = Sky(), other = Sky()
        dog.observe(sky) { dog.hear($0) }
        dog.observe(other) { dog.hear($0) }
        dog.stopObserving(sky)
        sky.send(.blue)
        other.send(.grey)
        #expect(dog.heard == ["grey"])
    }

    @Test func anObserverStopsAllItsObservations() {
        let dog = Dog(), sky = Sky(), number = Var(1)
        dog.observe(sky) { dog.hear($0) }
        dog.observe(number) { dog.hear($0) }
        dog.stopObserving()
        sky.send(.blue)
        number <- 2
        #expect(dog.heard.isEmpty)
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

    @Test func anObservableThatDiesStopsItsObservations() {
        let dog = Dog()
        let leaked = leaks { track in
            let mortal = track(Mortal()), number = Var(1)
            dog.observe(number) { _ in withExtendedLifetime(mortal) {} }
        }
        #expect(leaked.isEmpty)
    }

    @Test func whatADeadObserverLeftCanBeErased() {
        let number = Var(1), other = Var(1)
        let left = Tracker()
        func abandon<O: Observable>(_ observable: O, _ name: String) {
            let mortal = left(Mortal(), name)
            Dog().observe(observable) { _ in withExtendedLifetime(mortal) {} }
        }
        abandon(number, "number")
        abandon(other, "other")
        #expect(left.living == ["number", "other"])
        number.stopAbandonedObservations()
        #expect(left.living == ["other"])
        stopAllAbandonedObservations()
        #expect(left.living.isEmpty)
    }

    @Test func whatALivingObserverDoesIsNotErased() {
        let number = Var(1), dog = Dog()
        dog.observe(number) { dog.hear($0.new) }
        number.stopAbandonedObservations()
        stopAllAbandonedObservations()
        number <- 2
        #expect(dog.heard == ["2"])
    }

    @Test func theNextMessageErasesWhatADeadObserverLeft() {
        let number = Var(1)
        let leaked = leaks { track in
            let mortal = track(Mortal())
            Dog().observe(number) { _ in withExtendedLifetime(mortal) {} }
            number <- 2
        }
        #expect(leaked.isEmpty)
    }
}
