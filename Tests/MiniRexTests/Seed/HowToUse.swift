// SPDX-License-Identifier: MIT

import MiniRex
import TestSupport
import Testing

@Suite("MiniRex: how to use") struct HowToUse {
    @Test func subscribingTakesACallbackAndReturnsASubscription() {
        var subscribed = 0, ended = 0
        let publisher = Publisher<Int> { updateBlock in
            subscribed += 1
            updateBlock(5)
            return Subscription { ended += 1 }
        }
        var received: [Int] = []
        let subscription = publisher.subscribe { received.append($0) }
        #expect(received == [5] && subscribed == 1 && ended == 0 && subscription.isSubscribed)
        subscription.invalidate()
        subscription.invalidate()
        #expect(ended == 1 && !subscription.isSubscribed)
    }

    @Test func aSubscriptionEndsWhenItIsDeallocated() {
        let broadcaster = Broadcaster<Int>()
        var received: [Int] = []
        var subscription: Subscription? = broadcaster.publisher.subscribe { received.append($0) }
        broadcaster.broadcast(update: 1)
        withExtendedLifetime(subscription) {}
        subscription = nil
        broadcaster.broadcast(update: 2)
        #expect(received == [1])
    }
}

@Suite("MiniRex: basic rules") struct BasicRules {
    @Test func publishersOwnNothing() {
        let living = leaks { track in
            let broadcaster = track(Broadcaster<Int>()), property = track(PublishedProperty(withInitialValue: 1))
            let task = track(PublishedTask { 1 })
            let publishers = [broadcaster.publisher, property.publisher.transform { $0 }]
            withExtendedLifetime((publishers, task.publisher)) {}
        }
        #expect(living == [])
    }

    @Test func aPublisherIsSafeAgainstTheDeathOfItsSource() {
        let broadcasts = Broadcaster<Int>().publisher, values = PublishedProperty(withInitialValue: 1).publisher
        let results = PublishedTask { 1 }.publisher
        var received = 0
        let subscriptions = [
            broadcasts.subscribe { _ in received += 1 }, values.subscribe { _ in received += 1 },
            results.subscribe { _ in received += 1 },
            values.transform { $0 }.valueTransform { $0 }.subscribe { _ in received += 1 },
        ]
        #expect(received == 0 && subscriptions.allSatisfy { !$0.isSubscribed })
    }

    @Test(arguments: [true, false]) func anUpdateBlockLivesAsLongAsItsSubscription(isInvalidated: Bool) {
        let broadcaster = Broadcaster<Int>()
        var subscription: Subscription?
        let living = leaks { track in
            let captured = track(Mortal())
            subscription = broadcaster.publisher.subscribe { _ in withExtendedLifetime(captured) {} }
            if isInvalidated { subscription?.invalidate() }
        }
        #expect(living == (isInvalidated ? [] : ["Mortal"]))
    }
}
