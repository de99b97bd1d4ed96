// SPDX-License-Identifier: MIT

import MiniRex
import TestSupport
import Testing

@Suite("MiniRex: four types of publishers") struct FourTypes {
    @Test func aBroadcasterPostsToThoseWhoHaveSubscribed() {
        let broadcaster = Broadcaster<Int>()
        broadcaster.broadcast(update: 0)
        let first = Heard(broadcaster.publisher)
        broadcaster.broadcast(update: 1)
        let second = Heard(broadcaster.publisher)
        broadcaster.broadcast(update: 2)
        #expect(first.updates == [1, 2] && second.updates == [2])
    }

    @Test func aPublishedValueComesOnSubscribingAndWheneverItChanges() {
        let property = PublishedProperty(withInitialValue: "a"), heard = Heard(property.publisher)
        property.value = "a"
        property.value = "b"
        #expect(heard.updates == ["a", "b"])
    }

    @Test func aReferenceIsUpdatedWhenItsIdentityChanges() {
        let first = Mortal(), second = Mortal()
        let property = PublishedProperty(withInitialValue: first), heard = Heard(property.publisher)
        property.value = first
        property.value = second
        #expect(heard.updates.map { $0 === first } == [true, false])
    }

    @Test func anythingElseIsUpdatedAtEveryAssignment() {
        let property = PublishedProperty(withInitialValue: { 1 }), heard = Heard(property.publisher)
        property.value = { 1 }
        #expect(heard.updates.map { $0() } == [1, 1])
    }

    @Test func aTaskCallsOnceWithItsResultAtOnceIfItHasFinished() async {
        let begun = Recorder<Void>(), received = Recorder<Int>(), done = Gate()
        let task = PublishedTask {
            begun.record()
            return 7
        }
        let first = task.publisher.subscribe { result in
            received.record(try! result.get())
            done.open()
        }
        await done.opened()
        let second = task.publisher.subscribe { received.record(try! $0.get()) }
        withExtendedLifetime((first, second)) { #expect(received.entries == [7, 7] && begun.count == 1) }
    }

    @Test func aTaskMayGiveAnError() async {
        let task = PublishedTask<Int> { throw CancellationError() }, done = Gate(), failed = Flag()
        let subscription = task.publisher.subscribe { result in
            if case .failure(let error) = result, error is CancellationError { failed.raise() }
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
