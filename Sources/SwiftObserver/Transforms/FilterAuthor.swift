// SPDX-License-Identifier: MIT

import ObserverEngine

/// Sends those messages of its source whose authors are wanted.
public final class AuthorFilter<Source: Observable>: Transform<Source, Source.Message> {
    /// Begins to observe a source. The closure says whose messages are wanted.
    @inlinable
    public convenience init(
        _ source: Source, @_inheritActorContext _ isWanted: @escaping @Sendable @isolated(any) (AnyObject) -> Bool
    ) {
        self.init(source, isWanted: called(isWanted), on: isWanted.isolation)
    }

    @inlinable
    init(_ source: Source, isWanted: @escaping (AnyObject) -> Bool, on actor: (any Actor)?) {
        super.init(source, authored: filteringAuthors(isWanted), on: actor)
    }
}

/// - Note: `@unchecked`: nothing of a filter changes but what its link and its messenger guard.
extension AuthorFilter: @unchecked Sendable where Source: Sendable, Source.Message: Sendable {}

extension Observable {
    /// An observable that sends only those messages of this one whose authors are wanted.
    @inlinable
    public func filterAuthor(
        @_inheritActorContext _ isWanted: @escaping @Sendable @isolated(any) (AnyObject) -> Bool
    ) -> AuthorFilter<Self> {
        AuthorFilter(self, isWanted)
    }

    /// An observable that sends only what one author caused; nothing for `nil`. The author is not kept.
    @inlinable
    public func from(_ author: AnyObject?) -> AuthorFilter<Self> {
        AuthorFilter(self, isWanted: { [weak author] in $0 === author }, on: nil)
    }

    /// An observable that sends only what other authors than one caused. The author is not kept.
    @inlinable
    public func notFrom(_ author: AnyObject?) -> AuthorFilter<Self> {
        AuthorFilter(self, isWanted: { [weak author] in $0 !== author }, on: nil)
    }
}

extension AdHocObservation {
    /// Receives only the messages whose authors are wanted.
    @inlinable
    public func filterAuthor(
        @_inheritActorContext _ isWanted: @escaping @Sendable @isolated(any) (AnyObject) -> Bool
    ) -> AdHocObservation<Message> {
        let isWantedHere = called(isWanted)
        return through(authored: { filteringAuthors(isWantedHere) }, formedOn: isWanted.isolation)
    }

    /// Does so, and begins the observation.
    @inlinable @discardableResult
    public func filterAuthor(
        @_inheritActorContext _ isWanted: @escaping @Sendable @isolated(any) (AnyObject) -> Bool,
        @_inheritActorContext receive: @escaping @Sendable @isolated(any) (Message) -> Void
    ) -> ObservationHandle {
        filterAuthor(isWanted).receive(receive)
    }

    /// Does so, and begins the observation with a closure that also takes the author.
    @inlinable @discardableResult
    public func filterAuthor(
        @_inheritActorContext _ isWanted: @escaping @Sendable @isolated(any) (AnyObject) -> Bool,
        @_inheritActorContext receive: @escaping @Sendable @isolated(any) (Message, AnyObject) -> Void
    ) -> ObservationHandle {
        filterAuthor(isWanted).receive(receive)
    }

    /// Receives only what one author caused; nothing for `nil`. The author is not kept.
    @inlinable
    public func from(_ author: AnyObject?) -> AdHocObservation<Message> {
        through(authored: { filteringAuthors { [weak author] in $0 === author } })
    }

    /// Does so, and begins the observation.
    @inlinable @discardableResult
    public func from(
        _ author: AnyObject?, @_inheritActorContext receive: @escaping @Sendable @isolated(any) (Message) -> Void
    ) -> ObservationHandle {
        from(author).receive(receive)
    }

    /// Does so, and begins the observation with a closure that also takes the author.
    @inlinable @discardableResult
    public func from(
        _ author: AnyObject?,
        @_inheritActorContext receive: @escaping @Sendable @isolated(any) (Message, AnyObject) -> Void
    ) -> ObservationHandle {
        from(author).receive(receive)
    }

    /// Receives only what other authors than one caused, for instance than the observer itself. The author is not kept.
    @inlinable
    public func notFrom(_ author: AnyObject?) -> AdHocObservation<Message> {
        through(authored: { filteringAuthors { [weak author] in $0 !== author } })
    }

    /// Does so, and begins the observation.
    @inlinable @discardableResult
    public func notFrom(
        _ author: AnyObject?, @_inheritActorContext receive: @escaping @Sendable @isolated(any) (Message) -> Void
    ) -> ObservationHandle {
        notFrom(author).receive(receive)
    }

    /// Does so, and begins the observation with a closure that also takes the author.
    @inlinable @discardableResult
    public func notFrom(
        _ author: AnyObject?,
        @_inheritActorContext receive: @escaping @Sendable @isolated(any) (Message, AnyObject) -> Void
    ) -> ObservationHandle {
        notFrom(author).receive(receive)
    }
}
