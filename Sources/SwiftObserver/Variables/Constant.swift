// SPDX-License-Identifier: MIT

/// A buffered observable that always has the same latest message. It sends nothing by itself.
///
///     let limit = Constant(10)
///     dog.observe(number, limit) { update, limit in ... }
///
/// It must be held, like any observable.
public final class Constant<Message>: BufferedObservable {
    /// Carries what is sent by hand.
    public let messenger = Messenger<Message>()

    /// The message that never changes.
    public let latestMessage: Message

    /// A constant with its message.
    public init(_ message: Message) { latestMessage = message }
}

/// - Note: `@unchecked`: nothing of a constant changes but what its messenger guards.
extension Constant: @unchecked Sendable where Message: Sendable {}
