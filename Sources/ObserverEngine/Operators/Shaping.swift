// SPDX-License-Identifier: MIT

// Steps that make another message of each one.

/// Makes a message of each message.
///
///     sent     1  2  3
///     passed  10 20 30
@inlinable
public func mapping<Input, Output>(_ transform: @escaping (Input) -> Output) -> Step<Input, Output> {
    { transform($0) }
}

/// Passes on the new value of each update.
///
///     sent    (0, 1) (1, 5)
///     passed      1      5
@inlinable
public func takingNew<Value>() -> Step<Update<Value>, Value> {
    { $0.new }
}

/// Passes on what is in each message, and leaves out those that are `nil`.
///
///     sent    1 nil 3
///     passed  1     3
@inlinable
public func unwrapping<Wrapped>() -> Step<Wrapped?, Wrapped> {
    { $0 }
}

/// Passes on what is in each message, or a default.
///
///     sent            1 nil 3
///     passed, or: 0   1  0  3
@inlinable
public func unwrapping<Wrapped>(or standIn: Wrapped) -> Step<Wrapped?, Wrapped> {
    { $0 ?? standIn }
}

/// Passes nothing but the fact that one particular message was sent.
///
///     sent              a b a c
///     passed, of: "a"   () ()
@inlinable
public func selecting<Message: Equatable>(_ selected: Message) -> Step<Message, Void> {
    { $0 == selected ? () : nil }
}
