// SPDX-License-Identifier: MIT

import ObserverEngine

/// Sends those messages of its source that are wanted.
public final class Filter<Source: Observable>: Transform<Source, Source.Message> {
    /// Begins to observe a source. The closure says which messages are wanted.
    @inlinable
    public init(
        _ source: Source, @_inheritActorContext _ isWanted: @escaping @Sendable @isolated(any) (Source.Message) -> Bool
    ) {
        super.init(source, filtering(called(isWanted)), on: isWanted.isolation)
    }
}

extension Observable {
    /// An observable that sends only those messages of this one that are wanted.
    ///
    ///     sent     1 2 3 4
    ///     passed     2   4
    @inlinable
    public func filter(
        @_inheritActorContext _ isWanted: @escaping @Sendable @isolated(any) (Message) -> Bool
    ) -> Filter<Self> {
        Filter(self, isWanted)
    }
}

/// - Note: `@unchecked`: nothing of a filter changes but what its link and its messenger guard.
extension Filter: @unchecked Sendable where Source: Sendable, Source.Message: Sendable {}

extension AdHocObservation {
    /// Receives only the messages that are wanted.
    ///
    ///     sent     1 2 3 4
    ///     received   2   4
    @inlinable
    public func filter(
        @_inheritActorContext _ isWanted: @escaping @Sendable @isolated(any) (Message) -> Bool
    ) -> AdHocObservation<Message> {
        let isWantedHere = called(isWanted)
        return through(formedOn: isWanted.isolation) { filtering(isWantedHere) }
    }

    /// Does so, and begins the observation.
    @inlinable @discardableResult
    public func filter(
        @_inheritActorContext _ isWanted: @escaping @Sendable @isolated(any) (Message) -> Bool,
        @_inheritActorContext receive: @escaping @Sendable @isolated(any) (Message) -> Void
    ) -> ObservationHandle {
        filter(isWanted).receive(receive)
    }

    /// Does so, and begins the observation with a closure that also takes the author.
    @inlinable @discardableResult
    public func filter(
        @_inheritActorContext _ isWanted: @escaping @Sendable @isolated(any) (Message) -> Bool,
        @_inheritActorContext receive: @escaping @Sendable @isolated(any) (Message, AnyObject) -> Void
    ) -> ObservationHandle {
        filter(isWanted).receive(receive)
    }
}
