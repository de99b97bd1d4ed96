// SPDX-License-Identifier: MIT

import ObserverEngine

extension Observable {
    /// An observable that sends what all messages of this one until then add up to.
    ///
    ///     sent            1 2 3
    ///     scan(0) { + }   1 3 6
    @inlinable
    public func scan<Value>(
        _ initial: Value,
        @_inheritActorContext _ accumulate: @escaping @Sendable @isolated(any) (_ value: Value, Message) -> Value
    ) -> Transform<Self, Value> {
        Transform(self, scanning(initial, called(accumulate)), on: accumulate.isolation)
    }

    /// An observable that sends each message of this one but the first together with the one before it.
    ///
    ///     sent    1  2      3
    ///     passed    (1, 2) (2, 3)
    @inlinable
    public func pairwise() -> Transform<Self, (previous: Message, current: Message)> { Transform(self, pairing()) }
}

extension AdHocObservation {
    /// Receives what all messages until then add up to.
    ///
    ///     sent            1 2 3
    ///     scan(0) { + }   1 3 6
    @inlinable
    public func scan<Value>(
        _ initial: Value,
        @_inheritActorContext _ accumulate: @escaping @Sendable @isolated(any) (_ value: Value, Message) -> Value
    ) -> AdHocObservation<Value> {
        let accumulateHere = called(accumulate)
        return through(formedOn: accumulate.isolation) { scanning(initial, accumulateHere) }
    }

    /// Receives each message but the first together with the one before it, as one pair.
    ///
    ///     sent      1  2      3
    ///     received    (1, 2) (2, 3)
    @inlinable
    public func pairwise() -> AdHocObservation<(previous: Message, current: Message)> { through { pairing() } }
}

extension ActorObservation {
    /// Receives what all messages until then add up to.
    @inlinable
    public func scan<Value>(
        _ initial: Value, _ accumulate: @escaping (_ value: Value, Message) -> Value
    ) -> ActorObservation<Value> {
        ActorObservation<Value>(chain.through { scanning(initial, accumulate) })
    }

    /// Receives each message but the first together with the one before it, as one pair.
    @inlinable
    public func pairwise() -> ActorObservation<(previous: Message, current: Message)> {
        ActorObservation<(previous: Message, current: Message)>(chain.pairwise())
    }
}
