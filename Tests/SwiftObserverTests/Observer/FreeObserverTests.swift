// SPDX-License-Identifier: MIT

import SwiftObserver
import Testing
import TestSupport

@Suite("Observing without an observer of one's own") struct FreeObserverTests {
    let messenger = Messenger<Int>(), number = Var(1), dog = Dog()

    @Test func aKeptObservationLastsAsLongAsItIsHeld() {
        var kept: KeptObservation? = messenger.observe { dog.hear($0) }
        messenger.send(1)
        #expect(kept?.isLiving == true)
        kept = nil
        messenger.send(2)
        #expect(dog.heard == ["1"] && !messenger.isObserved)
    }

    @Test func aKeptObservationCanBeStopped() {
        let kept = messenger.observe { dog.hear("\($0) \($1 === dog)") }
        messenger.send(1, author: dog)
        #expect(kept.stop())
        #expect(!kept.stopAndWait() && !kept.isLiving)
        messenger.send(2)
        #expect(dog.heard == ["1 true"])
    }

    @Test func aClosureOfSeveralStatementsIsAHandlerLikeAnyOther() {
        let kept = number.observe { update in
            dog.hear("received:")
            dog.hear(update.new)
        }
        withExtendedLifetime(kept) { number <- 2 }
        #expect(dog.heard == ["received:", "2"])
    }

    @Test func aKeptObservationCanBeTransformed() {
        let kept = number.observe(adHoc: { $0.new().filter { $0 > 1 }.map { "\($0)!" }.receive { dog.hear($0) } })
        number <- 5
        withExtendedLifetime(kept) { number <- 0 }
        #expect(dog.heard == ["5!"])
    }

    @Test func aFreeObserverIsAnObserver() {
        let observer = FreeObserver()
        observer.observe(messenger) { dog.hear($0) }
        messenger.send(1)
        observer.stopObserving()
        messenger.send(2)
        #expect(dog.heard == ["1"])
    }
}

@Suite("Introspection") struct IntrospectionTests {
    @Test func observationsAreCountedButNotThoseOfAReplayerForItself() {
        let replayer = Messenger<Int>().replay(.all), messenger = replayer.source, dog = Dog()
        #expect(replayer.observationCount == 0 && !replayer.isObserved)
        let observation = dog.observe(messenger) { _ in }
        dog.observe(replayer) { _ in }
        #expect(messenger.observationCount == 2 && messenger.isObserved)
        observation.stop()
        #expect(messenger.observationCount == 1 && replayer.observationCount == 1)
    }
}
