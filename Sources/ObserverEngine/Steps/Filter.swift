// SPDX-License-Identifier: MIT

/// Passes on the messages that are wanted.
///
///     sent    1 2 3 4
///     passed    2   4
@inlinable
public func filtering<Message>(_ isWanted: @escaping (Message) -> Bool) -> Step<Message, Message> {
    { isWanted($0) ? $0 : nil }
}
