// SPDX-License-Identifier: MIT

import ObserverEngine

/// Sends what its source sends, and remembers the latest message: it makes any observable a buffered one.
public final class Cache<Source: Observable>: Transform<Source, Source.Message>, BufferedObservable {
    @usableFromInline let latest: Guarded<Source.Message>

    /// Begins to observe a source. Until it has sent a message, the initial one is the latest.
    @inlinable
    public init(_ source: Source, _ initial: Source.Message) {
        let latest = Guarded(initial)
        self.latest = latest
        super.init(
            source,
            { message in
                // The one before is let go here, without the lock.
                let before = latest.withLock { latest in
                    defer { latest = message }
                    return latest
                }
                return withExtendedLifetime(before) { message }
            })
    }

    /// The message that was sent last, or the initial one.
    @inlinable public var latestMessage: Source.Message { latest.withLock { $0 } }
}

/// - Note: `@unchecked`: nothing of a cache changes but what its link, its messenger and `Guarded` guard.
extension Cache: @unchecked Sendable where Source: Sendable, Source.Message: Sendable {}

extension Observable {
    /// An observable that sends what this one sends, and remembers the latest message.
    ///
    /// - Parameter initial: the latest message until this observable has sent one.
    @inlinable
    public func cache(_ initial: Message) -> Cache<Self> {
        Cache(self, initial)
    }

    /// An observable that sends what this one sends, and remembers the latest message. It is `nil` until
    /// this observable has sent one.
    @inlinable
    public func cache<Wrapped>() -> Cache<Self> where Message == Wrapped? {
        Cache(self, nil)
    }

    /// An observable that sends what this one sends, as an optional, and remembers the latest message. It is
    /// `nil` until this observable has sent one.
    @inlinable
    public func cache() -> Cache<Mapper<Self, Message?>> {
        Mapper(self, map: { $0 }, on: nil).cache(nil)
    }
}
