// SPDX-License-Identifier: MIT

import ObserverEngine

extension Observable {
    /// An observable that leaves out each message of this one that is like the one before it.
    @inlinable
    public func skipRepeats(
        @_inheritActorContext by areEqual:
            @escaping @Sendable @isolated(any) (_ previous: Message, _ message: Message) -> Bool
    ) -> Transform<Self, Message> {
        Transform(self, skippingRepeats(by: called(areEqual)), on: areEqual.isolation)
    }

    /// An observable that leaves out each message of this one that equals the one before it.
    ///
    ///     sent    1 1 2 2 1
    ///     passed  1   2   1
    @inlinable
    public func skipRepeats() -> Transform<Self, Message> where Message: Equatable {
        Transform(self, skippingRepeats(by: ==))
    }
}

extension AdHocObservation {
    /// Leaves out each message that is like the one before it.
    @inlinable
    public func skipRepeats(
        @_inheritActorContext by areEqual:
            @escaping @Sendable @isolated(any) (_ previous: Message, _ message: Message) -> Bool
    ) -> AdHocObservation<Message> {
        let areEqualHere = called(areEqual)
        return through(formedOn: areEqual.isolation) { skippingRepeats(by: areEqualHere) }
    }
}

extension AdHocObservation where Message: Equatable {
    /// Leaves out each message that equals the one before it.
    ///
    ///     sent      1 1 2 2 1
    ///     received  1   2   1
    @inlinable
    public func skipRepeats() -> AdHocObservation<Message> {
        through { skippingRepeats(by: ==) }
    }
}
