// SPDX-License-Identifier: MIT

import ObserverEngine

/// What an observation calls in Swift: a closure that takes the message, or the message and its author.
///
/// Two cases, so that a closure without author is called as it is and needs no second one around it.
@usableFromInline
enum ClosureHandler<Message>: ClosureConvertible, OpaqueHandler {
    case message((Message) -> Void)
    case authored((Message, AnyObject) -> Void)

    @inlinable
    init(closure: @escaping (Message, AnyObject) -> Void) { self = .authored(closure) }

    @inlinable static var inert: ClosureHandler { .message { _ in } }

    @inlinable
    func receive(_ message: Message, _ author: AnyObject) {
        switch self {
        case .message(let receive): receive(message)
        case .authored(let receive): receive(message, author)
        }
    }

    @inlinable static func keep(_ message: Message) -> Message? { message }

    @inlinable static func withMessage(_ waiting: borrowing Message, _ body: (Message) -> Void) { body(copy waiting) }
}

extension ClosureHandler {
    /// The same handler, which now takes in one message at a time, whatever the source does (law 5).
    ///
    /// What it captures is called directly, because the intake would copy a handler to call it.
    @inlinable
    func takingIn(through intake: Intake<ClosureHandler>) -> ClosureHandler {
        switch self {
        case .message(let receive):
            return .authored { message, author in
                if intake.mustLineUp { intake.lineUp(message, author) } else { receive(message) }
            }
        case .authored(let receive):
            return .authored { message, author in
                if intake.mustLineUp { intake.lineUp(message, author) } else { receive(message, author) }
            }
        }
    }
}
