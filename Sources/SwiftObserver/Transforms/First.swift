// SPDX-License-Identifier: MIT

import ObserverEngine

extension Observable {
    /// An observable that sends the first message of this one that is wanted, and none after it.
    @inlinable
    public func first(
        @_inheritActorContext where isWanted: @escaping @Sendable @isolated(any) (Message) -> Bool
    ) -> Transform<Self, Message> {
        Transform(self, takingFirst(where: called(isWanted)), on: isWanted.isolation)
    }

    /// An observable that sends the messages of this one until one is not wanted, and none from then on.
    ///
    ///     sent                     1 2 3 1
    ///     prefix(while: { $0 < 3 })  1 2
    @inlinable
    public func prefix(
        @_inheritActorContext while isWanted: @escaping @Sendable @isolated(any) (Message) -> Bool
    ) -> Transform<Self, Message> {
        Transform(self, taking(while: called(isWanted)), on: isWanted.isolation)
    }

    /// An observable that leaves out the messages of this one until one is not to be left out, and none from then on.
    ///
    ///     sent                     1 2 3 1
    ///     drop(while: { $0 < 3 })      3 1
    @inlinable
    public func drop(
        @_inheritActorContext while isSkipped: @escaping @Sendable @isolated(any) (Message) -> Bool
    ) -> Transform<Self, Message> {
        Transform(self, skipping(while: called(isSkipped)), on: isSkipped.isolation)
    }
}

extension AdHocObservation {
    /// Receives the first message that is wanted. The observation ends just before.
    @inlinable
    public func first(
        @_inheritActorContext where isWanted: @escaping @Sendable @isolated(any) (Message) -> Bool
    ) -> AdHocObservation<Message> {
        filter(isWanted).once()
    }

    /// Receives messages until one is not wanted, and none from then on. The observation ends with that one.
    @inlinable
    public func prefix(
        @_inheritActorContext while isWanted: @escaping @Sendable @isolated(any) (Message) -> Bool
    ) -> AdHocObservation<Message> {
        let isWantedHere = called(isWanted)
        requireHere(isWanted.isolation)
        return AdHocObservation(on: actor) { [begin] make, end in
            begin(
                { id in
                    let handler = make(id), step: Step<Message, Message> = taking(while: isWantedHere)
                    return .authored { message, author in
                        guard step(message) != nil else { return end.finish(id) }
                        handler.receive(message, author)
                    }
                }, end.transformed)
        }
    }

    /// Leaves messages out until one is not to be left out, and none from then on.
    @inlinable
    public func drop(
        @_inheritActorContext while isSkipped: @escaping @Sendable @isolated(any) (Message) -> Bool
    ) -> AdHocObservation<Message> {
        let isSkippedHere = called(isSkipped)
        return through(formedOn: isSkipped.isolation) { skipping(while: isSkippedHere) }
    }
}
