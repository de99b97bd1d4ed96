// SPDX-License-Identifier: MIT

/// Passes on each message together with the one before it.
///
///     sent      1        2      3
///     passed   (nil, 1) (1, 2) (2, 3)
@inlinable
public func addingPrevious<Message>() -> Step<Message, (previous: Message?, current: Message)> {
    var previous: Message?
    return { message in
        defer { previous = message }
        return (previous, message)
    }
}
