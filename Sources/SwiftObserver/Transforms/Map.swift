// SPDX-License-Identifier: MIT

import ObserverEngine

/// Sends what a closure makes of each message of its source. Where the source is buffered, so is this.
public final class Mapper<Source: Observable, Mapped>: Transform<Source, Mapped> {
    @usableFromInline let map: (Source.Message) -> Mapped

    /// Begins to observe a source. The closure makes the messages.
    @inlinable
    public init(_ source: Source, _ map: @escaping (Source.Message) -> Mapped) {
        self.map = map
        super.init(source, mapping(map))
    }
}

extension Mapper: BufferedObservable where Source: BufferedObservable {
    /// What the closure makes of the latest message of the source.
    @inlinable public var latestMessage: Mapped { map(source.latestMessage) }
}

extension Observable {
    /// An observable that sends what a closure makes of each message of this one.
    ///
    ///     sent      1  2  3
    ///     mapped   10 20 30
    @inlinable
    public func map<Mapped>(_ map: @escaping (Message) -> Mapped) -> Mapper<Self, Mapped> {
        Mapper(self, map)
    }
}

/// - Note: `@unchecked`: nothing of a mapper changes but what its link and its messenger guard.
extension Mapper: @unchecked Sendable where Source: Sendable, Mapped: Sendable {}

extension AdHocObservation {
    /// Makes a message of each message.
    ///
    ///     sent      1  2  3
    ///     received 10 20 30
    @inlinable
    public func map<Mapped>(_ map: @escaping (Message) -> Mapped) -> AdHocObservation<Mapped> {
        through { mapping(map) }
    }

    /// Does so, and begins the observation.
    @inlinable @discardableResult
    public func map<Mapped>(
        _ map: @escaping (Message) -> Mapped, receive: @escaping (Mapped) -> Void
    ) -> ObservationHandle {
        self.map(map).receive(receive)
    }

    /// Does so, and begins the observation with a closure that also takes the author.
    @inlinable @discardableResult
    public func map<Mapped>(
        _ map: @escaping (Message) -> Mapped, receive: @escaping (Mapped, AnyObject) -> Void
    ) -> ObservationHandle {
        self.map(map).receive(receive)
    }
}
