// SPDX-License-Identifier: MIT

/// A handler of Swift's own: its messages are values, of which a copy can wait, and it releases what it holds
/// with itself.
public protocol CopyingHandler: MessageHandler where Stored == Message {}

extension CopyingHandler {
    @inlinable public func end(_ destroy: Destroy?) {}

    @inlinable public static func copy(_ message: Message) -> Message? { message }

    @inlinable
    public static func withMessage(_ waiting: borrowing Message, _ body: (Message) -> Void) { body(copy waiting) }
}
