// SPDX-License-Identifier: MIT

import ObserverEngine

extension Observer {
    /// Observes six observables or more with one closure. When one of them sends, the latest messages of the others are
    /// fetched.
    ///
    ///     dog.observe(a, b, c, d, e, f) { @MainActor a, b, c, d, e, f in ... }
    ///
    /// The closure belongs to an actor only where it says so itself.
    @inlinable @discardableResult
    public func observe<
        First: BufferedObservable, Second: BufferedObservable, Third: BufferedObservable, Fourth: BufferedObservable,
        Fifth: BufferedObservable, Sixth: BufferedObservable, each Other: BufferedObservable
    >(
        _ first: First, _ second: Second, _ third: Third, _ fourth: Fourth, _ fifth: Fifth, _ sixth: Sixth,
        _ other: repeat each Other, isolation: isolated (any Actor)? = #isolation,
        file: StaticString = #fileID, line: UInt = #line,
        receive:
            @escaping @Sendable @isolated(any) (
                First.Message, Second.Message, Third.Message, Fourth.Message, Fifth.Message, Sixth.Message,
                repeat (each Other).Message
            ) -> Void
    ) -> ObservationHandle {
        let first = CombinedPart(first), second = CombinedPart(second), third = CombinedPart(third)
        let fourth = CombinedPart(fourth), fifth = CombinedPart(fifth), sixth = CombinedPart(sixth)
        let other = (repeat CombinedPart(each other))
        var parts: [any AnyCombinedPart] = [first, second, third, fourth, fifth, sixth]
        repeat parts.append(each other)
        let handle = calledWithAny(receive)
        return begin(combining: parts, isolation: receive.isolation ?? isolation, file, line) { sent, _ in
            try handle(
                first.latest(sent), second.latest(sent), third.latest(sent), fourth.latest(sent), fifth.latest(sent),
                sixth.latest(sent), repeat (each other).latest(sent))
        }
    }

    /// - Parameter receive: fetches the messages and hands them over, or throws if an observable has died.
    @usableFromInline
    func begin(
        combining parts: [any AnyCombinedPart], isolation: (any Actor)?, _ file: StaticString, _ line: UInt,
        receive: @escaping (Sent, AnyObject) throws -> Void
    ) -> ObservationHandle {
        let observation = begin(parts, isolation, .authored { sent, author in try? receive(sent, author) })
        return parts.reduce(observation) { $1.began($0, by: self, file, line) }
    }

    private func begin(
        _ parts: [any AnyCombinedPart], _ isolation: (any Actor)?, _ handler: ClosureHandler<Sent>
    ) -> ObservationHandle {
        guard let isolation else { return begin(parts, continuingIn: nil) { handler.receive($0, $1) } }
        let delivery = ActorDelivery(handler, to: isolation, continuingIn: nil)
        let end = delivery.mailbox.observation
        receiver.keeper.keep(end)
        let observation = begin(parts, continuingIn: end) { delivery.carry($0, $1) }
        return ObservationHandle(id: end, parts: observation.parts + [observation.id])
    }

    private func begin(
        _ parts: [any AnyCombinedPart], continuingIn other: ObservationID?,
        _ receive: @escaping (Sent, AnyObject) -> Void
    ) -> ObservationHandle {
        let joined = Keeper()
        let serializer = Serializer<Sent, AnyObject>(continuingIn: other, endingWith: joined) { _ in receive }
        let observations = parts.compactMap { $0.join(serializer) }
        receiver.keeper.keep(serializer.id)
        for observation in observations {
            receiver.keeper.keep(observation)
            joined.keep(observation)
        }
        return ObservationHandle(id: serializer.id, parts: observations)
    }
}

/// A message that came in, and from whom.
@usableFromInline
struct Sent {
    let message: Any
    let part: any AnyCombinedPart
}

@usableFromInline
struct IsDead: Error {}

/// An observable that a combined observation fetches messages from, as long as it lives.
@usableFromInline
final class CombinedPart<Part: BufferedObservable>: AnyCombinedPart {
    private weak var observable: Part?

    @usableFromInline
    init(_ observable: Part) { self.observable = observable }

    /// The message that came in, if it came from here; else the latest.
    @usableFromInline
    func latest(_ sent: Sent) throws(IsDead) -> Part.Message {
        guard let observable else { throw IsDead() }
        if sent.part.isOf(observable), let message = sent.message as? Part.Message { return message }
        return observable.latestMessage
    }

    @usableFromInline
    func join(_ serializer: Serializer<Sent, AnyObject>) -> ObservationID? {
        guard let observable else { return nil }
        // To stop one part is to stop all of the observation.
        return observable.messenger.observe(continuingIn: serializer.id, feeding: serializer.anyCore) { id in
            .authored { [self] in serializer.send(Sent(message: $0, part: self), from: id, author: $1) }
        }
    }

    @usableFromInline
    func began(
        _ observation: ObservationHandle, by observer: AnyObject, _ file: StaticString, _ line: UInt
    ) -> ObservationHandle {
        observable.map { observation.began(observing: $0, by: observer, file, line) } ?? observation
    }

    @usableFromInline
    func isOf(_ other: AnyObject) -> Bool { observable === other }
}

@usableFromInline
protocol AnyCombinedPart: AnyObject {
    func join(_ serializer: Serializer<Sent, AnyObject>) -> ObservationID?
    /// Notes where an observation of this and others began. See `ObservationHandle.began`.
    func began(
        _ observation: ObservationHandle, by observer: AnyObject, _ file: StaticString, _ line: UInt
    ) -> ObservationHandle
    func isOf(_ observable: AnyObject) -> Bool
}
