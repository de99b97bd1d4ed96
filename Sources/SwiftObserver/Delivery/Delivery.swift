// SPDX-License-Identifier: MIT

/// Where and when the messages of one observation are received.
///
///     dog.observe(sky, on: .async(queue)) { color in ... }
///     dog.observe(sky).map { $0.name }.receive(on: .async(queue)) { name in ... }
///
/// Whatever is chosen, the messages of an observation arrive one at a time and in order, and nothing
/// that waits on a queue arrives after the observation has been stopped. What waits when the observable
/// dies, or has sent what it will, does arrive.
public struct Delivery: Sendable {
    @usableFromInline
    enum Way: Sendable {
        case direct
        case later(any DeliveryQueue)
        case waiting(any SynchronousDeliveryQueue)
    }

    @usableFromInline let way: Way

    @inlinable init(_ way: Way) { self.way = way }

    /// On the thread that sends, before the send returns. This is what happens if nothing is chosen,
    /// except that a handler formed on an actor stays there.
    @inlinable public static var directly: Delivery { Delivery(.direct) }

    /// On a queue, later. The sender does not wait.
    @inlinable
    public static func async(_ queue: some DeliveryQueue) -> Delivery { Delivery(.later(queue)) }

    /// On a queue, while the sender waits. It must not wait for itself: nothing may be sent on that queue.
    @inlinable
    public static func sync(_ queue: some SynchronousDeliveryQueue) -> Delivery { Delivery(.waiting(queue)) }

    /// On an executor of Swift concurrency, later. The sender does not wait.
    @inlinable
    public static func async(_ executor: some TaskExecutor) -> Delivery {
        Delivery(.later(TaskExecutorQueue(executor: executor)))
    }
}

@usableFromInline
struct TaskExecutorQueue: DeliveryQueue {
    @usableFromInline let executor: any TaskExecutor

    @inlinable init(executor: any TaskExecutor) { self.executor = executor }

    @usableFromInline
    func runLater(_ job: @escaping @Sendable () -> Void) {
        Task(executorPreference: executor) { job() }
    }
}
