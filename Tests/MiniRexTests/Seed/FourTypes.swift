// SPDX-License-Identifier: MIT

import MiniRex
import TestSupport
import Testing

@Suite("MiniRex: four types of publishers") struct FourTypes {
    @Test func aBroadcasterPostsToThoseWhoHaveSubscribed() {
        let broadcaster = Broadcaster<Int>()
        var first: [Int] = [], second: [Int] = []
        broadcaster.broadcast(update: 0)
        let one = broadcaster.publisher.subscribe { first.append($0) }
        broadcaster.broadcast(update: 1)
        let other = broadcaster.publisher.subscribe { second.append($0) }
        broadcaster.broadcast(update: 2)
        withExtendedLifetime((one, other)) { #expect(first == [1, 2] && second == [2]) }
    }

    @Test func aPublishedValueComesOnSubscribingAndWheneverItChanges() {
        let property = PublishedProperty(withInitialValue: "a")
        var received: [String] = []
        let subscription = property.publisher.subscribe { received.append($0) }
        property.value = "a"
        property.value = "b"
        withExtendedLifetime(subscription) { #expect(received == ["a", "b"]) }
    }

    @Test func aReferenceIsUpdatedWhenItsIdentityChanges() {
        let first = Mortal(), second = Mortal()
        let property = PublishedProperty(withInitialValue: first)
        var received: [ObjectIdentifier] = []
        let subscription = property.publisher.subscribe { received.append(ObjectIdentifier($0)) }
        property.value = first
        property.value = second
        withExtendedLifetime(subscription) {
            #expect(received == [ObjectIdentifier(first), ObjectIdentifier(second)])
        }
    }

    @Test func anythingElseIsUpdatedAtEveryAssignment() {
        let property = PublishedProperty(withInitialValue: { 1 })
        var received: [Int] = []
        let subscription = property.publisher.subscribe { received.append($0()) }
        property.value = { 1 }
        withExtendedLifetime(subscription) { #expect(received == [1, 1]) }
    }

    @Test func aTaskCallsOnceWithItsResult() async {
        let task = PublishedTask { 7 }, received = Recorder<Int>(), done = Gate()
        let subscription = task.publisher.subscribe { result in
            received.record(try! result.get())
            done.open()
        }
        await done.opened()
        withExtendedLifetime(subscription) { #expect(received.entries == [7]) }
    }

    @Test func aTaskThatHasFinishedCallsAtOnce() async {
        let begun = Recorder<Void>()
        let task = PublishedTask {
            begun.record()
            return 7
        }
        let done = Gate()
        let first = task.publisher.subscribe { _ in done.open() }
        await done.opened()
        let received = Recorder<Int>()
        let second = task.publisher.subscribe { received.record(try! $0.get()) }
        withExtendedLifetime((first, second)) { #expect(received.entries == [7] && begun.count == 1) }
    }

    @Test func aTaskMayGiveAnError() async {
        struct Failure: Error {}
        let task = PublishedTask<Int> { throw Failure() }, done = Gate(), failed = Flag()
        let subscription = task.publisher.subscribe { result in
            if case .failure(let error) = result, error is Failure { failed.raise() }
            done.open()
        }
        await done.opened()
        withExtendedLifetime(subscription) { #expect(failed.isRaised) }
    }

    @Test func aProgressiveTaskAlsoTellsHowFarItHasGot() async {
        let task = PublishedProgressiveTask<Int, String> { report in
            report(50)
            report(100)
            return "done"
        }
        let received = Recorder<String>(), done = Gate()
        let subscription = task.publisher.subscribe { update in
            switch update {
            case .progress(let percent): received.record("\(percent)")
            case .result(let result):
                received.record(try! result.get())
                done.open()
            }
        }
        await done.opened()
        withExtendedLifetime(subscription) { #expect(received.entries == ["50", "100", "done"]) }
    }
}
