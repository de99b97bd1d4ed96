// SPDX-License-Identifier: MIT

import SwiftObserver
import Testing
import TestSupport

@Suite("Observing without an observer of one's own") struct FreeObserverTests {
    @Test func aKeptObservationLastsAsLongAsItIsHeld() {
        let messenger = Messenger<Int>()
        var received: [Int] = []
        var kept: KeptObservation? = messenger.observe { received.append($0) }
        messenger.send(1)
        #expect(kept?.isLiving == true)
        kept = nil
        messenger.send(2)
        #expect(received == [1])
        #expect(!messenger.isObserved)
    }

    @Test func aKeptObservationCanBeStopped() {
        let messenger = Messenger<Int>(), author = Dog()
        var authors: [AnyObject] = []
        let kept = messenger.observe { _, author in authors.append(author) }
        messenger.send(1, author: author)
        #expect(kept.stop())
        #expect(!kept.stopAndWait() && !kept.isLiving)
        messenger.send(2)
        #expect(authors.count == 1 && isSame(authors[0], author))
    }

    @Test func aClosureOfSeveralStatementsIsAHandlerLikeAnyOther() {
        let number = Var(1)
        var received: [String] = []
        let kept = number.observe { update in
            received.append("received:")
            received.append("\(update.new)")
        }
        number <- 2
        withExtendedLifetime(kept) {}
        #expect(received == ["received:", "2"])
    }

    @Test func aKeptObservationCanBeTransformed() {
        let number = Var(1)
        var received: [String] = []
        let kept = number.observe(adHoc: { $0.new().filter { $0 > 1 }.map { "\($0)" }.receive { received.append($0) } })
        number <- 5
        withExtendedLifetime(kept) { number <- 0 }
        #expect(received == ["5"])
    }

    @Test func aFreeObserverIsAnObserver() {
        let messenger = Messenger<Int>(), observer = FreeObserver()
        var received = 0
        observer.observe(messenger) { _ in received += 1 }
        messenger.send(1)
        observer.stopObserving()
        messenger.send(2)
        #expect(received == 1)
    }
}

@Suite("Introspection") struct IntrospectionTests {
    @Test func observationsAreCounted() {
        let messenger = Messenger<Int>(), dog = Dog()
        #expect(messenger.observationCount == 0 && !messenger.isObserved)
        let observation = dog.observe(messenger) { _ in }
        let mapped = messenger.map { $0 }
        #expect(messenger.observationCount == 2 && messenger.isObserved)
        observation.stop()
        #expect(messenger.observationCount == 1)
        #expect(mapped.observationCount == 0)
    }

    @Test func whatAReplayerObservesForItselfIsNotCounted() {
        let replayer = Messenger<Int>().replay(.all), dog = Dog()
        #expect(replayer.observationCount == 0)
        dog.observe(replayer) { _ in }
        #expect(replayer.observationCount == 1)
        #expect(replayer.source.observationCount == 1)
    }
}
