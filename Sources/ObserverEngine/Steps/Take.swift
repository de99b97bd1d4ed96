// SPDX-License-Identifier: MIT

/// Passes on the first messages and no others.
///
///     sent       1 2 3 4
///     passed, 2  1 2
@inlinable
public func taking<Message>(_ count: Int) -> Step<Message, Message> {
    precondition(count >= 0, "no negative number of messages can be taken")
    var remaining = count
    return { message in
        guard remaining > 0 else { return nil }
        remaining -= 1
        return message
    }
}
