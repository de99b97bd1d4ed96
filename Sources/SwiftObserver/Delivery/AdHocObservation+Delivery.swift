// SPDX-License-Identifier: MIT

import ObserverEngine

extension AdHocObservation where Message: Sendable {
    /// Begins the observation, with a closure that is called where a delivery says.
    ///
    ///     dog.observe(sky).map { $0.name }.receive(on: .async(queue)) { name in ... }
    ///
    /// The steps of the chain run where they would without: on the sender's thread.
    @inlinable @discardableResult
    public func receive(on delivery: Delivery, _ receive: @escaping @Sendable (Message) -> Void) -> ObservationHandle {
        begin(.message(receive), by: delivery)
    }

    /// Begins the observation, with a closure that also takes the author of each message. Compare the
    /// author with others and do no more: it has not changed threads to be used.
    @inlinable @discardableResult
    public func receive(
        on delivery: Delivery, _ receive: @escaping @Sendable (Message, AnyObject) -> Void
    ) -> ObservationHandle {
        begin(.authored(receive), by: delivery)
    }

    /// Begins the observation, with a closure that is called on the main actor: at once if the sender is
    /// there and nothing waits, otherwise later.
    @inlinable @discardableResult
    public func receive(
        on actor: MainActor, _ receive: @escaping @MainActor @Sendable (Message) -> Void
    ) -> ObservationHandle {
        begin(.message { message in MainActor.assumeIsolated { receive(message) } }, on: actor)
    }

    /// Begins the observation, with a closure that is called on an actor and given it: at once if the
    /// sender is there and nothing waits, otherwise later. The actor is not kept.
    @inlinable @discardableResult
    public func receive<A: Actor>(
        on actor: A, _ receive: @escaping @Sendable (isolated A, Message) -> Void
    ) -> ObservationHandle {
        let handler = ClosureHandler<Message>.message { [weak actor] message in
            actor?.assumeIsolated { receive($0, message) }
        }
        return begin(handler, on: actor)
    }
}

extension AdHocObservation where Message == Void {
    /// Begins the observation, with a closure that takes nothing and is called where a delivery says.
    @inlinable @discardableResult
    public func receive(on delivery: Delivery, _ receive: @escaping @Sendable () -> Void) -> ObservationHandle {
        begin(.message { _ in receive() }, by: delivery)
    }

    /// Begins the observation, with a closure that takes nothing and is called on the main actor.
    @inlinable @discardableResult
    public func receive(on actor: MainActor, _ receive: @escaping @MainActor @Sendable () -> Void) -> ObservationHandle
    {
        begin(.message { _ in MainActor.assumeIsolated { receive() } }, on: actor)
    }
}

extension AdHocObservation {
    @usableFromInline
    func begin(_ handler: ClosureHandler<Message>, by delivery: Delivery) -> ObservationHandle {
        switch delivery.way {
        case .direct:
            return begin({ _ in handler }, ChainEnd())
        case .later(let queue):
            return begin(handler) { mailbox in queue.runLater { mailbox.deliverNext() } }
        case .waiting(let queue):
            return begin(handler) { mailbox in queue.runAndWait { mailbox.deliverNext() } }
        }
    }

    /// - Parameter schedule: sees to one call of `deliverNext()`.
    private func begin(
        _ handler: ClosureHandler<Message>, schedule: @escaping (Mailbox<ClosureHandler<Message>>) -> Void
    ) -> ObservationHandle {
        let mailbox = Mailbox(handler: handler)
        return begin(
            { _ in
                .authored { message, author in
                    _ = mailbox.put(message, author) {
                        schedule(mailbox)
                        return true
                    }
                }
            }, ChainEnd(continuation: mailbox.observation))
    }

    @usableFromInline
    func begin(_ handler: ClosureHandler<Message>, on actor: any Actor) -> ObservationHandle {
        let delivery = ActorDelivery(handler, to: actor, continuingIn: nil)
        return begin(
            { _ in .authored { delivery.carry($0, $1) } }, ChainEnd(continuation: delivery.mailbox.observation))
    }
}
