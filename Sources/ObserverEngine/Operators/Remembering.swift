// SPDX-License-Identifier: MIT

// Steps that remember messages.

/// Passes on each message together with the one before it.
///
///     sent      1        2      3
///     passed   (nil, 1) (1, 2) (2, 3)
@inlinable
public func addingPrevious<Message>() -> Step<Message, (previous: Message?, current: Message)> {
    let previous = StepMemory<Message?>(nil)
    return { message in
        defer { previous.value = message }
        return (previous.value, message)
    }
}

/// Passes a message on unless it equals the one before it.
///
///     sent    1 1 2 2 1
///     passed  1   2   1
@inlinable
public func skippingRepeats<Message>(
    by areEqual: @escaping (_ previous: Message, _ message: Message) -> Bool
) -> Step<Message, Message> {
    let previous = StepMemory<Message?>(nil)
    return { message in
        defer { previous.value = message }
        if let previous = previous.value, areEqual(previous, message) { return nil }
        return message
    }
}

#if !hasFeature(Embedded)
    // Hashing is seeded, which would bring a source of randomness into the library for C.

    /// Passes on each message that was never sent before. It remembers them all.
    ///
    ///     sent    1 2 1 3 2
    ///     passed  1 2   3
    @inlinable
    public func takingUnique<Message: Hashable>() -> Step<Message, Message> {
        let seen = StepMemory<Set<Message>>([])
        return { seen.value.insert($0).inserted ? $0 : nil }
    }
#endif

/// Passes on each message that equals none before it. It remembers them all, and compares each message with them.
///
///     sent    1 2 1 3 2
///     passed  1 2   3
@inlinable
public func takingUnique<Message>(
    by areEqual: @escaping (_ before: Message, _ message: Message) -> Bool
) -> Step<Message, Message> {
    let seen = StepMemory<[Message]>([])
    return { message in
        if seen.value.contains(where: { areEqual($0, message) }) { return nil }
        seen.value.append(message)
        return message
    }
}
