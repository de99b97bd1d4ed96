// SPDX-License-Identifier: MIT

extension Observable {
    /// An observable that sends what a closure makes of each message of this one.
    @inlinable
    public func map<Mapped>(_ map: @escaping (Message) -> Mapped) -> Mapping<Self, Mapped> {
        Mapping(self, map: map)
    }

    /// An observable that sends only those messages of this one that pass.
    @inlinable
    public func filter(_ filter: @escaping (Message) -> Bool) -> Mapping<Self, Message> {
        Mapping(self, filter: filter) { $0 }
    }

    /// An observable that sends the new value of each change.
    @inlinable
    public func new<Value>() -> Mapping<Self, Value> where Message == Change<Value> { map { $0.new } }

    /// An observable that sends what is in each message of this one, or a default.
    @inlinable
    public func unwrap<Wrapped>(_ defaultMessage: Wrapped) -> Mapping<Self, Wrapped> where Message == Wrapped? {
        map { $0 ?? defaultMessage }
    }
}

extension Observable where Message: Equatable {
    /// An observable that says when this one sends one particular message, and nothing else.
    @inlinable
    public func select(_ message: Message) -> Mapping<Self, Void> {
        Mapping(self, filter: { $0 == message }) { _ in }
    }
}
