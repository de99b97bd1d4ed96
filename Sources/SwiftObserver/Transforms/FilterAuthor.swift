// SPDX-License-Identifier: MIT

import ObserverEngine

/// Sends those messages of its source whose authors are wanted.
public final class AuthorFilter<Source: Observable>: Transform<Source, Source.Message> {
    /// Begins to observe a source. The closure says whose messages are wanted.
    @inlinable
    public init(_ source: Source, _ isWanted: @escaping (AnyObject) -> Bool) {
        super.init(source, authored: filteringAuthors(isWanted))
    }
}

/// - Note: `@unchecked`: nothing of a filter changes but what its link and its messenger guard.
extension AuthorFilter: @unchecked Sendable where Source: Sendable, Source.Message: Sendable {}

extension Observable {
    /// An observable that sends only those messages of this one whose authors are wanted.
    @inlinable
    public func filterAuthor(_ isWanted: @escaping (AnyObject) -> Bool) -> AuthorFilter<Self> {
        AuthorFilter(self, isWanted)
    }

    /// An observable that sends only what one author caused; nothing for `nil`. The author is not kept.
    @inlinable
    public func from(_ author: AnyObject?) -> AuthorFilter<Self> {
        filterAuthor { [weak author] in $0 === author }
    }

    /// An observable that sends only what other authors than one caused. The author is not kept.
    @inlinable
    public func notFrom(_ author: AnyObject?) -> AuthorFilter<Self> {
        filterAuthor { [weak author] in $0 !== author }
    }
}

extension AdHocObservation {
    /// Receives only the messages whose authors are wanted.
    @inlinable
    public func filterAuthor(_ isWanted: @escaping (AnyObject) -> Bool) -> AdHocObservation<Message> {
        through(authored: { filteringAuthors(isWanted) })
    }

    /// Does so, and begins the observation.
    @inlinable @discardableResult
    public func filterAuthor(
        _ isWanted: @escaping (AnyObject) -> Bool, receive: @escaping (Message) -> Void
    ) -> ObservationHandle {
        filterAuthor(isWanted).receive(receive)
    }

    /// Does so, and begins the observation with a closure that also takes the author.
    @inlinable @discardableResult
    public func filterAuthor(
        _ isWanted: @escaping (AnyObject) -> Bool, receive: @escaping (Message, AnyObject) -> Void
    ) -> ObservationHandle {
        filterAuthor(isWanted).receive(receive)
    }

    /// Receives only what one author caused; nothing for `nil`. The author is not kept.
    @inlinable
    public func from(_ author: AnyObject?) -> AdHocObservation<Message> {
        filterAuthor { [weak author] in $0 === author }
    }

    /// Does so, and begins the observation.
    @inlinable @discardableResult
    public func from(_ author: AnyObject?, receive: @escaping (Message) -> Void) -> ObservationHandle {
        from(author).receive(receive)
    }

    /// Does so, and begins the observation with a closure that also takes the author.
    @inlinable @discardableResult
    public func from(_ author: AnyObject?, receive: @escaping (Message, AnyObject) -> Void) -> ObservationHandle {
        from(author).receive(receive)
    }

    /// Receives only what other authors than one caused, for instance than the observer itself. The author is not kept.
    @inlinable
    public func notFrom(_ author: AnyObject?) -> AdHocObservation<Message> {
        filterAuthor { [weak author] in $0 !== author }
    }

    /// Does so, and begins the observation.
    @inlinable @discardableResult
    public func notFrom(_ author: AnyObject?, receive: @escaping (Message) -> Void) -> ObservationHandle {
        notFrom(author).receive(receive)
    }

    /// Does so, and begins the observation with a closure that also takes the author.
    @inlinable @discardableResult
    public func notFrom(_ author: AnyObject?, receive: @escaping (Message, AnyObject) -> Void) -> ObservationHandle {
        notFrom(author).receive(receive)
    }
}
