// SPDX-License-Identifier: MIT

/// A handler that is a Swift closure, for vocabularies in which messages have no authors.
@frozen
public struct MessageClosure<Message>: CopyingHandler {
    @usableFromInline let call: (Message) -> Void

    @inlinable
    public init(_ call: @escaping (Message) -> Void) { self.call = call }

    @inlinable public static var tombstone: MessageClosure { MessageClosure { _ in } }

    @inlinable public func receive(_ message: Message, _ author: Void) { call(message) }
}

extension Core {
    /// Sends a message that has no author.
    @inlinable
    public func send<Sent>(_ message: Sent) where Handler == MessageClosure<Sent> {
        // A closure is never out of memory, nor does it report a failure.
        _ = send(message, author: ())
    }
}
