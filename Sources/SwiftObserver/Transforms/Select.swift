// SPDX-License-Identifier: MIT

import ObserverEngine

extension Observable where Message: Equatable {
    /// An observable that says when this one sends one particular message, and nothing else.
    ///
    ///     let notifier = messenger.select("my notification")
    ///     observer.observe(notifier) { ... }
    @inlinable
    public func select(_ message: Message) -> Transform<Self, Void> {
        Transform(self, selecting(message))
    }
}

extension AdHocObservation where Message: Equatable {
    /// Receives one particular message, which says it all, and nothing else.
    ///
    ///     observer.observe(messenger).select("my notification") { ... }
    @inlinable
    public func select(_ message: Message) -> AdHocObservation<Void> {
        through { selecting(message) }
    }

    /// Does so, and begins the observation.
    @inlinable @discardableResult
    public func select(
        _ message: Message, @_inheritActorContext receive: @escaping @Sendable @isolated(any) () -> Void
    ) -> ObservationHandle {
        select(message).receive(receive)
    }

    /// Does so, and begins the observation with a closure that takes the author.
    @inlinable @discardableResult
    public func select(
        _ message: Message,
        @_inheritActorContext receive: @escaping @Sendable @isolated(any) (_ author: AnyObject) -> Void
    ) -> ObservationHandle {
        let handle = called(receive)
        return select(message).begin(.authored { _, author in handle(author) }, formedOn: receive.isolation)
    }
}
