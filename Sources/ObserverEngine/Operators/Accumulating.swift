// SPDX-License-Identifier: MIT

// Steps that make each message of all those before it.

/// Passes on what all messages until then add up to.
///
///     sent        1 2 3
///     sum from 0  1 3 6
@inlinable
public func scanning<Input, Output>(
    _ initial: Output, _ accumulate: @escaping (_ value: Output, _ message: Input) -> Output
) -> Step<Input, Output> {
    var value = initial
    return { message in
        value = accumulate(value, message)
        return value
    }
}

/// Passes on each message but the first together with the one before it.
///
///     sent    1  2      3
///     passed    (1, 2) (2, 3)
@inlinable
public func pairing<Message>() -> Step<Message, (previous: Message, current: Message)> {
    var previous: Message?
    return { message in
        defer { previous = message }
        return previous.map { ($0, message) }
    }
}
