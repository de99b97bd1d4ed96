// SPDX-License-Identifier: MIT

import ObserverEngine

/// Sends the messages of several observables, as they come in. It holds them all.
public final class Merger<Message>: Observable {
    /// Carries the merged messages to the observers.
    public let messenger = Messenger<Message>(of: Merger.self)

    /// The observables that are merged.
    @inlinable public var sources: [any Observable<Message>] { merged.content ?? [] }

    @usableFromInline let merged: Linked<[any Observable<Message>]>
    @usableFromInline let observations: [ObservationID]

    /// Begins to observe several sources.
    @inlinable
    public init(_ sources: [any Observable<Message>]) {
        let target = messenger.core
        merged = Linked(sources)
        target.setDepth(above: sources.map { $0.messenger.core })
        observations = sources.map { source in
            source.messenger.observe(.authored { _ = target.pass($0, author: $1) }, feeding: target)
        }
        messenger.belongs(to: self)
    }

    deinit {
        messenger.endTransform(of: feeding) { [observations, merged] in
            for observation in observations { observation.stop() }
            merged.letGo()
        }
    }
}

extension Merger: Upstream {
    @usableFromInline var feeding: [any AnyMessenger] { sources.map { $0.messenger } }
}

/// - Note: `@unchecked`: nothing of a merger changes but what its messenger guards. What it merges is
///   kept, and can only be asked for.
extension Merger: @unchecked Sendable where Message: Sendable {}

extension Observable {
    /// An observable that sends the messages of this one and of others, as they come in.
    ///
    ///     this    1   2
    ///     other     5
    ///     merged  1 5 2
    @inlinable
    public func merge(_ others: any Observable<Message>...) -> Merger<Message> {
        Merger([self] + others)
    }
}

extension AdHocObservation {
    /// Receives the messages of this chain and of others, as they come in.
    ///
    ///     dog.observe(bowl).map { "bowl: \($0)" }.merge(dog.observe(tv).map { "tv: \($0)" }).receive { print($0) }
    ///
    ///     this      1   2
    ///     other       5
    ///     received  1 5 2
    ///
    /// They are one observation: the closure is called for one message at a time, and stopping stops all
    /// of it. It goes on when one of them has ended by itself, as with `take()`. Begin all chains in one place, so that
    /// they are of one observer and of one actor.
    @inlinable
    public func merge(_ others: AdHocObservation<Message>...) -> AdHocObservation<Message> { merge(others) }

    @inlinable
    func merge(_ others: [AdHocObservation<Message>]) -> AdHocObservation<Message> {
        for other in others { requireHere(other.actor) }
        return AdHocObservation(on: actor) { [begin] makeHandler, end in
            let parts = Keeper()
            let serializer = Serializer<Message, AnyObject>(continuingIn: end.continuation, endingWith: parts) { id in
                let handler = makeHandler(id)
                return { handler.receive($0, $1) }
            }
            let endOfParts = ChainEnd(finishBehind: { serializer.finish($0) }).transformed
            var ids: [ObservationID] = []
            for begin in [begin] + others.map(\.begin) {
                let observation = begin(
                    { part in .authored { message, author in serializer.send(message, from: part, author: author) } },
                    endOfParts)
                ids += [observation.id] + observation.parts
            }
            for id in ids { parts.keep(id) }
            return ObservationHandle(id: serializer.id, parts: ids, needsAllParts: false)
        }
    }
}
