// SPDX-License-Identifier: MIT

import ObserverEngine

/// Sends what a closure makes of each message of its source. Where the source is buffered, so is this.
public final class Mapper<Source: Observable, Mapped>: Transform<Source, Mapped> {
    @usableFromInline let map: (Source.Message) -> Mapped
    /// Where the closure was formed, if that is an actor.
    @usableFromInline let home: Isolation?

    /// Begins to observe a source. The closure makes the messages.
    @inlinable
    public convenience init(
        _ source: Source, @_inheritActorContext _ map: @escaping @Sendable @isolated(any) (Source.Message) -> Mapped
    ) {
        self.init(source, map: called(map), on: map.isolation)
    }

    @inlinable
    init(_ source: Source, map: @escaping (Source.Message) -> Mapped, on actor: (any Actor)?) {
        self.map = map
        home = actor.map { Isolation($0) }
        super.init(source, mapping(map), on: actor)
    }
}

extension Mapper: BufferedObservable where Source: BufferedObservable {
    /// The latest message of the source, as the closure maps it. If the closure was formed on an actor, only code there
    /// may ask.
    @inlinable public var latestMessage: Mapped {
        precondition(home?.isCurrent ?? true, notHere)
        return messenger.core.isDeep ? latestOfLongChain : map(source.latestMessage)
    }

    /// The same in a loop: from the first mapping of the chain to this.
    @usableFromInline var latestOfLongChain: Mapped {
        var chain: [any AnyMapper] = [], observed: any Observable = source
        while let mapper = observed as? any AnyMapper {
            chain.append(mapper)
            observed = mapper.anySource
        }
        // What this maps is buffered, so what the chain begins with is.
        var message = (observed as! any BufferedObservable).anyLatest
        while let mapper = chain.popLast() { message = mapper.makeAny(of: message) }
        return map(message as! Source.Message)
    }
}

/// A mapping of whatever messages. All mappings are, buffered or not: to find out which is which takes the stack with it.
private protocol AnyMapper {
    var anySource: any Observable { get }
    func makeAny(of message: Any) -> Any
}

extension Mapper: AnyMapper {
    fileprivate var anySource: any Observable { source }

    fileprivate func makeAny(of message: Any) -> Any {
        precondition(home?.isCurrent ?? true, notHere)
        return map(message as! Source.Message)
    }
}

extension BufferedObservable {
    fileprivate var anyLatest: Any { latestMessage }
}

@usableFromInline
let notHere = "the closure of this mapping was formed on an actor: only code there can ask for the latest message"

extension Observable {
    /// An observable that sends what a closure makes of each message of this one.
    ///
    ///     sent      1  2  3
    ///     mapped   10 20 30
    @inlinable
    public func map<Mapped>(
        @_inheritActorContext _ map: @escaping @Sendable @isolated(any) (Message) -> Mapped
    ) -> Mapper<Self, Mapped> {
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
    public func map<Mapped>(
        @_inheritActorContext _ map: @escaping @Sendable @isolated(any) (Message) -> Mapped
    ) -> AdHocObservation<Mapped> {
        let mapHere = called(map)
        return through(formedOn: map.isolation) { mapping(mapHere) }
    }

    /// Does so, and begins the observation.
    @inlinable @discardableResult
    public func map<Mapped>(
        @_inheritActorContext _ map: @escaping @Sendable @isolated(any) (Message) -> Mapped,
        @_inheritActorContext receive: @escaping @Sendable @isolated(any) (Mapped) -> Void
    ) -> ObservationHandle {
        self.map(map).receive(receive)
    }

    /// Does so, and begins the observation with a closure that also takes the author.
    @inlinable @discardableResult
    public func map<Mapped>(
        @_inheritActorContext _ map: @escaping @Sendable @isolated(any) (Message) -> Mapped,
        @_inheritActorContext receive: @escaping @Sendable @isolated(any) (Mapped, AnyObject) -> Void
    ) -> ObservationHandle {
        self.map(map).receive(receive)
    }
}
