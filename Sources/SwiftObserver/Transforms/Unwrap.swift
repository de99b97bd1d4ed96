// SPDX-License-Identifier: MIT

import ObserverEngine

/// Sends what is in the messages of its source, and nothing for those that are `nil`.
public final class Unwrapper<Source: Observable, Unwrapped>: Transform<Source, Unwrapped>
where Source.Message == Unwrapped? {
    /// Begins to observe a source.
    @inlinable
    public init(_ source: Source) {
        super.init(source, unwrapping())
    }
}

/// - Note: `@unchecked`: nothing of an unwrapper changes but what its link and its messenger guard.
extension Unwrapper: @unchecked Sendable where Source: Sendable, Unwrapped: Sendable {}

extension Observable {
    /// An observable that sends what is in each message of this one, and leaves out those that are `nil`.
    ///
    ///     sent    1 nil 3
    ///     passed  1     3
    @inlinable
    public func unwrap<Unwrapped>() -> Unwrapper<Self, Unwrapped> where Message == Unwrapped? {
        Unwrapper(self)
    }

    /// An observable that sends what is in each message of this one, or a default.
    ///
    ///     sent               1 nil 3
    ///     passed, unwrap(0)  1  0  3
    @inlinable
    public func unwrap<Unwrapped>(_ standIn: Unwrapped) -> Mapper<Self, Unwrapped> where Message == Unwrapped? {
        Mapper(self, map: { $0 ?? standIn }, on: nil)
    }

    /// Another name for ``unwrap()``.
    @inlinable
    public func skipNil<Unwrapped>() -> Unwrapper<Self, Unwrapped> where Message == Unwrapped? {
        unwrap()
    }
}

extension AdHocObservation {
    /// Receives what is in each message, and leaves out those that are `nil`.
    ///
    ///     sent      1 nil 3
    ///     received  1     3
    @inlinable
    public func unwrap<Unwrapped>() -> AdHocObservation<Unwrapped> where Message == Unwrapped? {
        through { unwrapping() }
    }

    /// Does so, and begins the observation.
    @inlinable @discardableResult
    public func unwrap<Unwrapped>(
        @_inheritActorContext _ receive: @escaping @Sendable @isolated(any) (Unwrapped) -> Void
    ) -> ObservationHandle where Message == Unwrapped? {
        unwrap().receive(receive)
    }

    /// Does so, and begins the observation with a closure that also takes the author.
    @inlinable @discardableResult
    public func unwrap<Unwrapped>(
        @_inheritActorContext _ receive: @escaping @Sendable @isolated(any) (Unwrapped, AnyObject) -> Void
    ) -> ObservationHandle where Message == Unwrapped? {
        unwrap().receive(receive)
    }

    /// Receives what is in each message, or a default.
    ///
    ///     sent                 1 nil 3
    ///     received, unwrap(0)  1  0  3
    @inlinable
    public func unwrap<Unwrapped>(_ standIn: Unwrapped) -> AdHocObservation<Unwrapped> where Message == Unwrapped? {
        through { unwrapping(or: standIn) }
    }

    /// Does so, and begins the observation.
    @inlinable @discardableResult
    public func unwrap<Unwrapped>(
        _ standIn: Unwrapped, @_inheritActorContext receive: @escaping @Sendable @isolated(any) (Unwrapped) -> Void
    ) -> ObservationHandle where Message == Unwrapped? {
        unwrap(standIn).receive(receive)
    }

    /// Does so, and begins the observation with a closure that also takes the author.
    @inlinable @discardableResult
    public func unwrap<Unwrapped>(
        _ standIn: Unwrapped,
        @_inheritActorContext receive: @escaping @Sendable @isolated(any) (Unwrapped, AnyObject) -> Void
    ) -> ObservationHandle where Message == Unwrapped? {
        unwrap(standIn).receive(receive)
    }

    /// Another name for ``unwrap()``.
    @inlinable
    public func skipNil<Unwrapped>() -> AdHocObservation<Unwrapped> where Message == Unwrapped? {
        unwrap()
    }
}
