// SPDX-License-Identifier: MIT

// Not testable: what is used here is public (fault 12).
import Dispatch
import MiniRex
import TestSupport
import Testing

@Suite("MiniRex: faults of the published code") struct FaultTests {
    /// Fault 6: it crashed.
    @Test func anyThreadMaySubscribeAndPost() {
        nonisolated(unsafe) let broadcaster = Broadcaster<Int>(), property = PublishedProperty(withInitialValue: 0)
        nonisolated(unsafe) var sum = 0
        nonisolated(unsafe) var values: [Int] = []
        let subscriptions = [
            broadcaster.publisher.subscribe { sum += $0 }, property.publisher.subscribe { values.append($0) },
        ]
        onThreads(4) { thread in
            for number in 1...500 {
                broadcaster.broadcast(update: number)
                property.value = thread * 1_000 + number
                broadcaster.publisher.subscribe { _ in }.invalidate()
                _ = property.publisher.valueTransform { $0 }.subscribe { _ in }
            }
        }
        withExtendedLifetime(subscriptions) {
            #expect(sum == 4 * 500 * 501 / 2)
            #expect(values.count == 2_001 && values.last == property.value)
        }
    }

    /// Fault 11: generic code, which knew no more of a value than its name, did not compare it.
    @Test func valuesAreComparedInGenericCodeToo() {
        func received<Value>(_ values: [Value]) -> (property: Int, transform: Int) {
            let property = PublishedProperty(withInitialValue: values[0]), broadcaster = Broadcaster<Value>()
            var counts = (property: 0, transform: 0)
            let subscriptions = [
                property.publisher.subscribe { _ in counts.property += 1 },
                broadcaster.publisher.valueTransform { $0 }.subscribe { _ in counts.transform += 1 },
            ]
            for value in values {
                property.value = value
                broadcaster.broadcast(update: value)
            }
            return withExtendedLifetime(subscriptions) { counts }
        }
        #expect(received([1, 1, 2]) == (2, 2))
        #expect(received(["a", nil, nil] as [String?]) == (2, 2))
        let mortal = Mortal()
        #expect(received([mortal, mortal, Mortal()]) == (2, 2))
        #expect(received([{ 1 }, { 1 }]) == (3, 2))
    }

    /// Fault 12: the documented adapters could not be used.
    @Test func theAdaptersArePublic() {
        let queue = DispatchQueue(label: "test"), received = Recorder<Int>()
        let subscription = Publisher(withConstant: 1).transform(with: { $0 + 1 }).valueTransform(with: { $0 })
            .dispatch(subscribeQueue: queue).dispatch(updateQueue: queue).subscribe { received.record($0) }
        queue.sync {}
        queue.sync {}
        withExtendedLifetime(subscription) { #expect(received.entries == [2]) }
    }
}
