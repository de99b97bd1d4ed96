// SPDX-License-Identifier: MIT

import Dispatch
import MiniRex
import Testing
import TestSupport

@Test(arguments: ["transform", "filter", "valueTransform", "updateQueue", "subscribeQueue"])
func aChainOfPublishersIsReleasedInALoop(_ kind: String) {
    final class Bearer {}
    onSmallStack {
        let leaked = leaks { track in
            let bearer = track(Bearer())
            var last = Publisher<Int> { _ in withExtendedLifetime(bearer) { .empty } }
            for _ in 0..<10_000 {
                last =
                    switch kind {
                    case "transform": last.transform { $0 + 1 }
                    case "filter": last.filter { $0 > 0 }
                    case "valueTransform": last.valueTransform { $0 + 1 }
                    case "updateQueue": last.dispatch(updateQueue: .global())
                    default: last.dispatch(subscribeQueue: .global())
                    }
            }
        }
        #expect(leaked.isEmpty)
    }
}

/// Each has an update block that holds the one before.
@Test(arguments: ["broadcaster", "property", "subscription"])
func aChainOfUpdateBlocksThatHoldTheOneBeforeIsReleasedInALoop(_ kind: String) {
    final class Bearer {}
    onSmallStack {
        let sky = Broadcaster<Int>()
        let leaked = leaks { track in
            var last: AnyObject = track(Bearer())
            for _ in 0..<10_000 {
                nonisolated(unsafe) let before = last
                switch kind {
                case "broadcaster":
                    let next = Broadcaster<Int>()
                    let held = Held()
                    held.subscription = next.publisher.subscribe { _ in _ = (before, held) }
                    last = next
                case "property":
                    let next = PublishedProperty(withInitialValue: 0)
                    let held = Held()
                    held.subscription = next.publisher.subscribe { _ in _ = (before, held) }
                    last = next
                default: last = sky.publisher.subscribe { _ in _ = before }
                }
            }
        }
        #expect(leaked.isEmpty)
    }
}

/// What an update block holds, so that its subscription ends with what it is of.
private final class Held { var subscription: Subscription? }
