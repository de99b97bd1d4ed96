// SPDX-License-Identifier: MIT

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
