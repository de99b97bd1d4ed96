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
    let sum = StepMemory(initial)
    return { message in
        let value = accumulate(sum.value, message)
        sum.value = value
        return value
    }
}

/// Passes on each message but the first together with the one before it.
///
///     sent    1  2      3
///     passed    (1, 2) (2, 3)
@inlinable
public func pairing<Message>() -> Step<Message, (previous: Message, current: Message)> {
    let previous = StepMemory<Message?>(nil)
    return { message in
        defer { previous.value = message }
        return previous.value.map { ($0, message) }
    }
}

/// Passes on arrays of so many messages.
///
///     sent    1  2    3  4    5
///     passed     1,2     3,4
@inlinable
public func collecting<Message>(_ count: Int) -> Step<Message, [Message]> {
    precondition(count > 0, "messages are collected until there is one at least")
    let collected = StepMemory<[Message]>([])
    return { message in
        collected.value.append(message)
        guard collected.value.count == count else { return nil }
        defer { collected.value = [] }
        return collected.value
    }
}
