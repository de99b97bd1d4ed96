// SPDX-License-Identifier: MIT

import SwiftObserver
import Testing
import TestSupport

@Suite("A binding one way") struct OneWayBindingTests {
    let source = Var(1), target = Var(0), dog = Dog()

    @Test func theTargetHasTheValueNowAndWheneverItChanges() {
        source.bind(to: target)
        #expect(target.value == 1)
        source <- 2
        #expect(target.value == 2)
    }

    @Test func theTargetCanBeSetOtherwise() {
        source.bind(to: target)
        target <- 9
        #expect(source.value == 1)
        source <- 2
        #expect(target.value == 2)
    }

    @Test func aClosureConverts() {
        let text = Var("")
        source.bind(to: text) { "\($0)!" }
        #expect(text.value == "1!")
        source <- 2
        #expect(text.value == "2!")
    }

    @Test func aMessengerHasNothingToBeginWith() {
        let messenger = Messenger<Int>(), text = Var("")
        messenger.bind(to: target)
        messenger.bind(to: text) { "\($0)" }
        #expect(target.value == 0 && text.value == "")
        messenger.send(3)
        #expect(target.value == 3 && text.value == "3")
    }

    @Test func theAuthorIsPassedOn() {
        let authors = Recorder<ObjectIdentifier>()
        dog.observe(target) { _, author in authors.record(ObjectIdentifier(author)) }
        source.bind(to: target)
        source.set(2, author: dog)
        #expect(authors.entries == [ObjectIdentifier(source), ObjectIdentifier(dog)])
    }

    @Test func aTransformThatIsMadeForItIsKept() {
        let text = Var("")
        source.new().filter { $0 > 1 }.map { "\($0)" }.bind(to: text)
        source <- 2
        #expect(text.value == "2")
    }

    @Test func theTargetFollowsSeveralSources() {
        let other = Var(10)
        target.bind { [source] in source.value + other.value }
        #expect(target.value == 11)
        transaction {
            source.value = 2
            other.value = 20
        }
        #expect(target.value == 22)
    }

    @Test func afterStopNothingIsSetAndTheTransformIsLetGoOf() {
        let tracker = Tracker()
        let binding = tracker(source.new()).bind(to: target)
        source <- 2
        #expect(binding.isLiving && tracker.living.count == 1)
        #expect(binding.stop() && !binding.isLiving)
        source <- 3
        #expect(target.value == 2 && tracker.living == [] && !source.isObserved)
        #expect(!binding.stop())
    }

    @Test func neitherSideIsKept() {
        #expect(
            leaks { track in
                let source = track(Var(1)), target = track(Var(0))
                source.bind(to: target)
                source.new().map { $0 }.bind(to: target)
            } == [])
    }

    @Test func itEndsWithTheTarget() {
        var target: Var<Int>? = Var(0)
        let binding = source.bind(to: target!)
        let chain = source.new().map { $0 }.bind(to: target!)
        target = nil
        #expect(!binding.isLiving && !chain.isLiving && !source.isObserved)
    }

    @Test func itEndsWithTheSource() {
        var source: Var<Int>? = Var(5)
        let binding = source!.bind(to: target)
        source = nil
        #expect(!binding.isLiving && target.value == 5)
    }

    @Test func aChainCanEndInABinding() {
        dog.observe(source).new().map { $0 * 10 }.bind(to: target)
        source <- 2
        #expect(target.value == 20)
        dog.stopObserving(source)
        source <- 3
        #expect(target.value == 20)
    }

    @Test func aRingOfThemComesToRest() {
        let third = Var(0)
        source.bind(to: target)
        target.bind(to: third)
        third.bind(to: source)
        third <- 7
        #expect([source, target, third].map(\.value) == [7, 7, 7])
    }

    @Test func aChainOfAHundredThousandIsReleasedInALoop() {
        onSmallStack {
            var end = Var(0)
            for _ in 0..<100_000 {
                let next = Var(0)
                end.new().bind(to: next)
                end = next
            }
        }
    }

    @Test func whatSeveralThreadsSetArrivesInOrder() {
        let target = Var<(thread: Int, count: Int)>((0, 0)), source = Messenger<(thread: Int, count: Int)>()
        let ordered = Flag(), last = Var([0, 0])
        ordered.raise()
        dog.observe(target) { update in
            if update.new.count <= last.value[update.new.thread] { ordered.lower() }
            last.update { $0[update.new.thread] = update.new.count }
        }
        source.bind(to: target)
        onThreads(2) { [source] thread in for count in 1...500 { source.send((thread, count)) } }
        #expect(ordered.isRaised && last.value == [500, 500])
    }
}
