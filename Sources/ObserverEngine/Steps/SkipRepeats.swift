// SPDX-License-Identifier: MIT

/// Passes a message on unless it equals the one before it.
///
///     sent    1 1 2 2 1
///     passed  1   2   1
@inlinable
public func skippingRepeats<Message>(
    by areEqual: @escaping (_ previous: Message, _ message: Message) -> Bool
) -> Step<Message, Message> {
    var previous: Message?
    return { message in
        defer { previous = message }
        if let previous, areEqual(previous, message) { return nil }
        return message
    }
}
