// SPDX-License-Identifier: MIT

import ObserverEngine

/// An observation that has not begun yet, and can still be mapped.
///
///     observer.observe(number).new().filter { $0 > 9 }.receive { print($0) }
///
/// Each function comes in two variants. One returns the next of these; the other takes, as its last closure, what is
/// to receive the messages, and begins.
public struct ObservationMapper<Source: Observable, MappedMessage> {
    @usableFromInline let observer: any Observer
    @usableFromInline let observable: Source
    @usableFromInline let step: Step<Source.Message, MappedMessage>

    @inlinable
    init(_ observer: any Observer, _ observable: Source, _ step: @escaping Step<Source.Message, MappedMessage>) {
        self.observer = observer
        self.observable = observable
        self.step = step
    }

    /// Begins the observation.
    @inlinable
    public func receive(_ receive: @escaping (MappedMessage) -> Void) {
        observable.observationCore.observe(keptBy: observer) { [step] in if let message = step($0) { receive(message) }
        }
    }

    @inlinable
    func then<Output>(_ next: @escaping Step<MappedMessage, Output>) -> ObservationMapper<Source, Output> {
        ObservationMapper<Source, Output>(observer, observable, chaining(step, next))
    }
}

extension ObservationMapper {
    /// Makes a message of each message.
    @inlinable
    public func map<Output>(_ map: @escaping (MappedMessage) -> Output) -> ObservationMapper<Source, Output> {
        then(mapping(map))
    }

    /// Does so, and begins the observation.
    @inlinable
    public func map<Output>(_ map: @escaping (MappedMessage) -> Output, receive: @escaping (Output) -> Void) {
        self.map(map).receive(receive)
    }

    /// Receives only the messages that are wanted.
    @inlinable
    public func filter(_ filter: @escaping (MappedMessage) -> Bool) -> ObservationMapper {
        then(filtering(filter))
    }

    /// Does so, and begins the observation.
    @inlinable
    public func filter(_ filter: @escaping (MappedMessage) -> Bool, receive: @escaping (MappedMessage) -> Void) {
        self.filter(filter).receive(receive)
    }

    /// Receives the new value of each change.
    @inlinable
    public func new<Value>() -> ObservationMapper<Source, Value> where MappedMessage == Change<Value> {
        then(takingNew())
    }

    /// Does so, and begins the observation.
    @inlinable
    public func new<Value>(_ receive: @escaping (Value) -> Void) where MappedMessage == Change<Value> {
        new().receive(receive)
    }

    /// Receives what is in each message, or a default.
    @inlinable
    public func unwrap<Wrapped>(
        _ defaultMessage: Wrapped
    ) -> ObservationMapper<Source, Wrapped> where MappedMessage == Wrapped? {
        then(unwrapping(or: defaultMessage))
    }

    /// Does so, and begins the observation.
    @inlinable
    public func unwrap<Wrapped>(
        _ defaultMessage: Wrapped, receive: @escaping (Wrapped) -> Void
    ) where MappedMessage == Wrapped? {
        unwrap(defaultMessage).receive(receive)
    }
}

extension ObservationMapper where MappedMessage: Equatable {
    /// Receives one particular message, which says it all, and nothing else.
    @inlinable
    public func select(_ message: MappedMessage) -> ObservationMapper<Source, Void> {
        then(selecting(message))
    }

    /// Does so, and begins the observation.
    @inlinable
    public func select(_ message: MappedMessage, receive: @escaping () -> Void) {
        select(message).receive(receive)
    }
}

extension ObservationMapper where MappedMessage == Void {
    /// Begins the observation, with a closure that takes nothing, because there is nothing to say.
    @inlinable
    public func receive(_ receive: @escaping () -> Void) {
        self.receive { _ in receive() }
    }
}

extension Observer {
    /// An observation to map ad hoc. It begins where the chain ends.
    ///
    ///     dog.observe(bowl).map { $0 == .wasFilled }.receive { bowlWasFilled in ... }
    @inlinable
    public func observe<O: Observable>(_ observable: O) -> ObservationMapper<O, O.Message> {
        ObservationMapper(self, observable) { $0 }
    }
}
