// SPDX-License-Identifier: MIT

// Steps that let some messages pass.

/// Passes on the messages that are wanted.
///
///     sent    1 2 3 4
///     passed    2   4
@inlinable
public func filtering<Message>(_ isWanted: @escaping (Message) -> Bool) -> Step<Message, Message> {
    { isWanted($0) ? $0 : nil }
}

/// An operator that also looks at who caused the message.
public typealias AuthoredStep<Input, Author, Output> = (Input, Author) -> Output?

/// Passes on the messages whose authors are wanted.
///
///     sent, by   1 me   2 you   3 me
///     passed            2 you
@inlinable
public func filteringAuthors<Message, Author>(
    _ isWanted: @escaping (Author) -> Bool
) -> AuthoredStep<Message, Author, Message> {
    { isWanted($1) ? $0 : nil }
}

/// Passes on the first messages and no others.
///
///     sent       1 2 3 4
///     passed, 2  1 2
@inlinable
public func taking<Message>(_ count: Int) -> Step<Message, Message> {
    precondition(count >= 0, "no negative number of messages can be taken")
    let remaining = StepMemory(count)
    return { message in
        guard remaining.value > 0 else { return nil }
        remaining.value -= 1
        return message
    }
}

/// Leaves out the first messages.
///
///     sent       1 2 3 4
///     passed, 2      3 4
@inlinable
public func skipping<Message>(_ count: Int) -> Step<Message, Message> {
    precondition(count >= 0, "no negative number of messages can be skipped")
    let remaining = StepMemory(count)
    return { message in
        guard remaining.value > 0 else { return message }
        remaining.value -= 1
        return nil
    }
}

/// Passes on the first message that is wanted, and none after it.
///
///     sent              1 2 3 4
///     first over 1        2
@inlinable
public func takingFirst<Message>(where isWanted: @escaping (Message) -> Bool) -> Step<Message, Message> {
    let isFound = StepMemory(false)
    return { message in
        guard !isFound.value, isWanted(message) else { return nil }
        isFound.value = true
        return message
    }
}

/// Passes messages on until one is not wanted, and none from then on.
///
///     sent              1 2 3 1
///     while under 3     1 2
@inlinable
public func taking<Message>(while isWanted: @escaping (Message) -> Bool) -> Step<Message, Message> {
    let isOver = StepMemory(false)
    return { message in
        guard !isOver.value, isWanted(message) else {
            isOver.value = true
            return nil
        }
        return message
    }
}

/// Leaves messages out until one is not to be left out, and none from then on.
///
///     sent              1 2 3 1
///     while under 3         3 1
@inlinable
public func skipping<Message>(while isSkipped: @escaping (Message) -> Bool) -> Step<Message, Message> {
    let hasBegun = StepMemory(false)
    return { message in
        hasBegun.value = hasBegun.value || !isSkipped(message)
        return hasBegun.value ? message : nil
    }
}
