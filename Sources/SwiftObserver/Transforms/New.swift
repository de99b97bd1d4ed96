// SPDX-License-Identifier: MIT

import ObserverEngine

extension Observable {
    /// An observable that sends the new value of each update of this one.
    ///
    ///     sent     (0, 1) (1, 5)
    ///     passed       1      5
    @inlinable
    public func new<Value>() -> Mapper<Self, Value> where Message == Update<Value> {
        Mapper(self, map: { $0.new }, on: nil)
    }
}

extension AdHocObservation {
    /// Receives the new value of each update.
    ///
    ///     sent     (0, 1) (1, 5)
    ///     received     1      5
    @inlinable
    public func new<Value>() -> AdHocObservation<Value> where Message == Update<Value> {
        through { takingNew() }
    }

    /// Does so, and begins the observation.
    @inlinable @discardableResult
    public func new<Value>(
        @_inheritActorContext _ receive: @escaping @Sendable @isolated(any) (Value) -> Void
    ) -> ObservationHandle where Message == Update<Value> {
        new().receive(receive)
    }

    /// Does so, and begins the observation with a closure that also takes the author.
    @inlinable @discardableResult
    public func new<Value>(
        @_inheritActorContext _ receive: @escaping @Sendable @isolated(any) (Value, AnyObject) -> Void
    ) -> ObservationHandle where Message == Update<Value> {
        new().receive(receive)
    }
}
