// SPDX-License-Identifier: MIT

/// Leaves out the first messages.
///
///     sent       1 2 3 4
///     passed, 2      3 4
@inlinable
public func skipping<Message>(_ count: Int) -> Step<Message, Message> {
    precondition(count >= 0, "no negative number of messages can be skipped")
    var remaining = count
    return { message in
        guard remaining > 0 else { return message }
        remaining -= 1
        return nil
    }
}
