// SPDX-License-Identifier: MIT

import ObserverEngine

extension Observable {
    /// An observable that leaves out the first messages of this one.
    ///
    ///     sent             1 2 3 4
    ///     passed, skip(2)      3 4
    @inlinable
    public func skip(_ count: Int) -> Transform<Self, Message> {
        Transform(self, skipping(count))
    }
}

extension AdHocObservation {
    /// Leaves out the first messages.
    ///
    ///     sent               1 2 3 4
    ///     received, skip(2)      3 4
    @inlinable
    public func skip(_ count: Int) -> AdHocObservation<Message> {
        through { skipping(count) }
    }

    /// Does so, and begins the observation.
    @inlinable @discardableResult
    public func skip(_ count: Int, receive: @escaping (Message) -> Void) -> ObservationHandle {
        skip(count).receive(receive)
    }

    /// Does so, and begins the observation with a closure that also takes the author.
    @inlinable @discardableResult
    public func skip(_ count: Int, receive: @escaping (Message, AnyObject) -> Void) -> ObservationHandle {
        skip(count).receive(receive)
    }
}
