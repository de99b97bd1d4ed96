// SPDX-License-Identifier: MIT

import ObserverEngine

/// What an observation calls in Swift: a closure that takes the message, or the message and its author.
///
/// Two cases, so that a closure without author is called as it is and needs no second one around it.
@usableFromInline
enum ClosureHandler<Message>: MessageHandler {
    case message((Message) -> Void)
    case authored((Message, AnyObject) -> Void)

    @inlinable static var inert: ClosureHandler { .message { _ in } }

    @inlinable
    func receive(_ message: Message, _ author: AnyObject) {
        switch self {
        case .message(let receive): receive(message)
        case .authored(let receive): receive(message, author)
        }
    }

    /// The closure holds its own context, and lets go of it with this value.
    @inlinable func end(_ destroy: Destroy?) {}

    @inlinable static func keep(_ message: Message) -> Message? { message }

    @inlinable static func withMessage(_ waiting: borrowing Message, _ body: (Message) -> Void) { body(copy waiting) }
}
