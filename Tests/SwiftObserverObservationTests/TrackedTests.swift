// SPDX-License-Identifier: MIT

import Observation
import SwiftObserver
import SwiftObserverObservation
import Testing
import TestSupport

extension ManualQueue: DeliveryQueue {}

@Observable final class Person: @unchecked Sendable {
    var name = "Ann"
    var nickname = "A"
    var usesNickname = false
    var scores: [Int] = []
    var shownName: String { usesNickname ? nickname : name }
}

@MainActor @Observable final class Model {
    var count = 0
}

@Suite("What is read from @Observable objects") struct TrackedTests {
    final class Reader: Observer {
        let receiver = Receiver()
    }

    let person = Person(), reader = Reader(), queue = ManualQueue()

    @Test func aChangeIsSentWhenTheQueueHasTime() {
        let name = Tracked(on: queue) { [person] in person.name }
        nonisolated(unsafe) var received: [Update<String>] = []
        reader.observe(name) { received.append($0) }
        person.name = "Bob"
        #expect(received == [])
        queue.runAll()
        #expect(received == [Update("Ann", "Bob")])
        #expect(name.value == "Bob")
    }

    @Test func noChangeIsLeftOut() {
        let name = Tracked(on: queue) { [person] in person.name }
        nonisolated(unsafe) var received: [String] = []
        reader.observe(name).new { received.append($0) }
        for new in ["Bob", "Cid", "Dan"] { person.name = new }
        #expect(received == ["Bob", "Cid"])
        queue.runAll()
        person.name = "Eve"
        queue.runAll()
        #expect(received == ["Bob", "Cid", "Dan", "Eve"])
    }

    @Test func aChangeBackAndForthIsSent() {
        let name = Tracked(on: queue) { [person] in person.name }
        nonisolated(unsafe) var received: [String] = []
        reader.observe(name).new { received.append($0) }
        person.name = "Bob"
        person.name = "Ann"
        queue.runAll()
        #expect(received == ["Bob", "Ann"])
    }

    @Test func whatIsEqualIsNoChange() {
        let name = Tracked(on: queue) { [person] in person.name }
        nonisolated(unsafe) var received = 0
        reader.observe(name) { _ in received += 1 }
        person.name = "Ann"
        person.nickname = "B"
        queue.runAll()
        #expect(received == 0)
    }

    @Test func whatIsChangedInPlaceIsSent() {
        let scores = Tracked(on: queue) { [person] in person.scores }
        nonisolated(unsafe) var received: [[Int]] = []
        reader.observe(scores).new { received.append($0) }
        person.scores.append(1)
        person.scores.append(2)
        queue.runAll()
        #expect(received == [[1], [1, 2]])
    }

    @Test func whatIsReadMayChange() {
        let shown = Tracked(on: queue) { [person] in person.shownName }
        nonisolated(unsafe) var received: [String] = []
        reader.observe(shown).new { received.append($0) }
        person.usesNickname = true
        queue.runAll()
        person.nickname = "B"
        queue.runAll()
        person.name = "Bob"
        queue.runAll()
        #expect(received == ["A", "B"])
    }

    @Test func severalObjectsMayBeRead() {
        let other = Person()
        let names = Tracked(on: queue) { [person] in person.name + "+" + other.name }
        nonisolated(unsafe) var received: [String] = []
        reader.observe(names).new { received.append($0) }
        person.name = "Bob"
        other.name = "Cid"
        queue.runAll()
        #expect(received == ["Bob+Ann", "Bob+Cid"])
    }

    @Test func aHandlerMayChangeTheObject() {
        let name = Tracked(on: queue) { [person] in person.name }
        nonisolated(unsafe) var received: [String] = []
        reader.observe(name).new { [person] new in
            received.append(new)
            if new == "Bob" { person.name = "Cid" }
        }
        person.name = "Bob"
        queue.runAll()
        #expect(received == ["Bob", "Cid"])
    }

    @Test func manyChangesAskForNoMoreThanOneRun() {
        let name = Tracked(on: queue) { [person] in person.name }
        for round in 0..<100 { person.name = "\(round)" }
        #expect(queue.count == 1)
        queue.runAll()
        #expect(name.value == "99")
    }

    @Test func nothingIsLeft() {
        let leaked = leaks { track in
            let person = track(Person()), reader = track(Reader())
            let name = track(Tracked(on: queue) { person.name })
            reader.observe(name) { _ in }
            person.name = "Bob"
            queue.runAll()
            person.name = "Cid"
        }
        #expect(leaked.isEmpty)
    }

    @Test func anObjectDoesNotKeepWhoTracksIt() {
        let leaked = leaks { track in _ = track(Tracked(on: queue) { [person] in person.name }) }
        #expect(leaked.isEmpty)
        person.name = "Bob"
        #expect(queue.count == 0)
    }

    @Test func theAuthorIsTheOneThatTracks() {
        let name = Tracked(on: queue) { [person] in person.name }
        nonisolated(unsafe) var isAuthor = false
        let author = ObjectIdentifier(name)
        reader.observe(name) { isAuthor = ObjectIdentifier($1) == author }
        person.name = "Bob"
        queue.runAll()
        #expect(isAuthor)
    }

    @MainActor @Test func objectsOfTheMainActorAreTrackedThere() async {
        let model = Model(), reader = Reader()
        let count = Tracked { model.count }
        let messages = count.messages()
        var received: [Int] = []
        reader.observe(count).new { received.append($0) }
        for _ in 1...3 { model.count += 1 }
        #expect(received == [1, 2])
        var new: [Int] = []
        for await update in messages {
            new.append(update.new)
            if update.new == 3 { break }
        }
        #expect(new == [1, 2, 3] && received == [1, 2, 3])
    }
}
