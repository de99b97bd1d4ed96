// SPDX-License-Identifier: MIT

import ObserverEngine

extension Observable {
    /// An observable that sends each message of this one together with the one before it.
    ///
    ///     sent      1        2      3
    ///     passed   (nil, 1) (1, 2) (2, 3)
    @inlinable
    public func withPrevious() -> Transform<Self, (previous: Message?, current: Message)> {
        Transform(self, addingPrevious())
    }
}

extension AdHocObservation {
    /// Receives each message together with the one before it.
    ///
    ///     sent       1        2      3
    ///     received  (nil, 1) (1, 2) (2, 3)
    @inlinable
    public func withPrevious() -> AdHocObservation<(previous: Message?, current: Message)> {
        through { addingPrevious() }
    }

    /// Does so, and begins the observation.
    @inlinable @discardableResult
    public func withPrevious(_ receive: @escaping (_ previous: Message?, _ current: Message) -> Void)
        -> ObservationHandle
    {
        withPrevious().receive { receive($0.previous, $0.current) }
    }

    /// Does so, and begins the observation with a closure that also takes the author.
    @inlinable @discardableResult
    public func withPrevious(
        _ receive: @escaping (_ previous: Message?, _ current: Message, AnyObject) -> Void
    ) -> ObservationHandle {
        withPrevious().receive { receive($0.previous, $0.current, $1) }
    }
}
