// SPDX-License-Identifier: MIT

import Foundation
import MiniRex
import TestSupport
import Testing

@Suite("MiniRex: pre-built publishers") struct PrebuiltPublishers {
    let broadcaster = Broadcaster<Int>(), property = PublishedProperty(withInitialValue: 1)

    @Test func transformMakesAnUpdateOfEachUpdateAndFilterPassesWhatIsWanted() {
        let tens = Heard(broadcaster.publisher.transform(with: { "\($0 * 10)" }))
        let even = Heard(broadcaster.publisher.filter(with: { $0 % 2 == 0 }))
        for number in [1, 1, 2] { broadcaster.broadcast(update: number) }
        #expect(tens.updates == ["10", "10", "20"] && even.updates == [2])
    }

    @Test func valueTransformPostsWhatHasChangedReferencesByIdentity() {
        let first = Mortal(), second = Mortal()
        let halves = Heard(property.publisher.valueTransform(with: { $0 / 2 }))
        let objects = Heard(property.publisher.valueTransform(with: { $0 < 3 ? first : second }))
        for number in 2...5 { property.value = number }
        #expect(halves.updates == [0, 1, 2] && objects.updates.map { $0 === first } == [true, false])
    }

    @Test func eachSubscriptionComparesForItself() {
        let publisher = broadcaster.publisher.valueTransform { $0 }, first = Heard(publisher)
        broadcaster.broadcast(update: 1)
        let second = Heard(publisher)
        broadcaster.broadcast(update: 1)
        #expect(first.updates == [1] && second.updates == [1])
    }

    @Test func notificationsAreBroadcast() {
        let center = NotificationCenter(), name = Notification.Name("saved"), document = Mortal()
        var received: [String] = []
        let subscriptions = [
            center.publisher(forName: name, object: nil, queue: nil).subscribe { _ in received.append("any") },
            center.publisher(forName: name, object: document, queue: nil).subscribe { _ in received.append("its") },
            center.subscribe(forName: nil, object: nil, queue: nil) { received.append($0.name.rawValue) },
        ]
        center.post(name: name, object: document)
        center.post(name: name, object: nil)
        for subscription in subscriptions { subscription.invalidate() }
        center.post(name: name, object: document)
        #expect(received.sorted() == ["any", "any", "its", "saved", "saved"])
    }

    @Test func notificationsComeOnAQueue() {
        let center = NotificationCenter(), name = Notification.Name("saved"), queue = OperationQueue()
        let received = Recorder<Bool>()
        let subscription = center.subscribe(forName: name, object: nil, queue: queue) { _ in
            received.record(OperationQueue.current === queue)
        }
        center.post(name: name, object: nil)
        queue.waitUntilAllOperationsAreFinished()
        withExtendedLifetime(subscription) { #expect(received.entries == [true]) }
    }

    @Test func aPublisherOfNotificationsKeepsNeitherCenterNorObject() {
        let name = Notification.Name("saved")
        var publisher: Publisher<Notification>?
        let living = leaks { track in
            let center = track(NotificationCenter()), document = track(Mortal())
            publisher = center.publisher(forName: name, object: document)
        }
        #expect(living == [])
        #expect(publisher?.subscribe { _ in }.isSubscribed == false)
    }

    @Test func aConstantIsSentBackToEachNewSubscriber() {
        let publisher = Publisher(withConstant: 5)
        #expect(Heard(publisher).updates == [5] && Heard(publisher).updates == [5])
    }

    @Test func unsubscribingIsDispatchedToo() {
        let queue = DispatchQueue(label: "test"), key = DispatchSpecificKey<Bool>(), log = Recorder<String>()
        queue.setSpecific(key: key, value: true)
        @Sendable func isThere() -> Bool { DispatchQueue.getSpecific(key: key) == true }
        let publisher = Publisher<Int> { _ in
            log.record("subscribes \(isThere())")
            return Subscription { log.record("unsubscribes \(isThere())") }
        }
        let subscription = publisher.dispatch(subscribeQueue: queue).subscribe { _ in }
        queue.sync {}
        subscription.invalidate()
        queue.sync {}
        #expect(log.entries == ["subscribes true", "unsubscribes true"])
    }

    @Test func aSubscriptionInvalidatedBeforeItsTurnNeverBegins() {
        let queue = DispatchQueue(label: "test"), log = Recorder<Void>()
        let publisher = Publisher<Int> { _ in
            log.record()
            return .empty
        }
        queue.suspend()
        publisher.dispatch(subscribeQueue: queue).subscribe { _ in }.invalidate()
        queue.resume()
        queue.sync {}
        #expect(log.count == 0)
    }
}
