// SPDX-License-Identifier: MIT

import ObserverEngine

extension Observable {
    /// An observable that passes on all messages of this one, after a closure has seen each.
    ///
    ///     prices.handleEvents { log("price", $0) }.filter { $0 > limit }
    ///
    /// It looks into a chain. `graphDOT` draws the whole of it.
    @inlinable
    public func handleEvents(
        @_inheritActorContext _ see: @escaping @Sendable @isolated(any) (Message) -> Void
    ) -> Transform<Self, Message> {
        Transform(self, seeing(called(see)), on: see.isolation)
    }

    /// An observable that passes on all messages of this one, after printing each on standard output.
    ///
    ///     let total = prices.print("price").scan(0, +)        // price: 5
    ///
    /// - Parameter prefix: stands before each, with a colon.
    @inlinable
    public func print(_ prefix: String = "") -> Transform<Self, Message> {
        Transform(self, seeing { Swift.print(prefix.isEmpty ? "\($0)" : "\(prefix): \($0)") })
    }
}

extension AdHocObservation {
    /// Receives all messages, after a closure has seen each.
    @inlinable
    public func handleEvents(
        @_inheritActorContext _ see: @escaping @Sendable @isolated(any) (Message) -> Void
    ) -> AdHocObservation<Message> {
        let seeHere = called(see)
        return through(formedOn: see.isolation) { seeing(seeHere) }
    }

    /// Receives all messages, after printing each on standard output. See ``Observable/print(_:)``.
    @inlinable
    public func print(_ prefix: String = "") -> AdHocObservation<Message> {
        through { seeing { Swift.print(prefix.isEmpty ? "\($0)" : "\(prefix): \($0)") } }
    }
}

@inlinable
func seeing<Message>(_ see: @escaping (Message) -> Void) -> Step<Message, Message> {
    { message in
        see(message)
        return message
    }
}
