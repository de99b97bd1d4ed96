// SPDX-License-Identifier: MIT

import ObserverEngine

/// The handler of an observation in Swift: a closure that takes the message, or the message and its author.
///
/// Two cases, so that a closure without author is called as it is and needs no second one around it.
@usableFromInline
enum ClosureHandler<Message>: CopyingHandler {
    case message((Message) -> Void)
    case authored((Message, AnyObject) -> Void)

    @inlinable static var tombstone: ClosureHandler { .message { _ in } }

    @usableFromInline
    static func withType<Result>(
        of author: AnyObject, in core: AnyCore, _ body: (UnsafeRawPointer?, UnsafePointer<CChar>?) -> Result
    ) -> Result {
        // Not asked for its messenger: that may be code of a user's, and the lock is held.
        if core.kind == unsafeBitCast(type(of: author) as Any.Type, to: UnsafeRawPointer.self) { return body(nil, nil) }
        return String(describing: type(of: author)).withCString {
            body(UnsafeRawPointer(Unmanaged.passUnretained(author).toOpaque()), $0)
        }
    }

    @inlinable
    func receive(_ message: Message, _ author: AnyObject) {
        switch self {
        case .message(let receive): receive(message)
        case .authored(let receive): receive(message, author)
        }
    }
}

extension ClosureHandler {
    /// The same handler, which now takes in one message at a time, whatever the source does (law 5).
    ///
    /// The closure that it captures is called directly, because to call a handler that is captured is to copy it.
    @inlinable
    func fed(by subscription: SourceSubscription<ClosureHandler>) -> ClosureHandler {
        switch self {
        case .message(let receive):
            return .authored { message, author in
                if subscription.needsSerializer { subscription.serialize(message, author) } else { receive(message) }
            }
        case .authored(let receive):
            return .authored { message, author in
                if subscription.needsSerializer {
                    subscription.serialize(message, author)
                } else {
                    receive(message, author)
                }
            }
        }
    }
}
