// SPDX-License-Identifier: MIT

/// Brings the messages of several observables into one queue, at whose end stands one closure.
///
///     observable --part--\
///     observable --part---+--> serializer --> closure
///
/// Without it the closure would run on two threads at once, or inside itself, because the observables know
/// nothing of each other. The parts hold the serializer, which ends with the last of them.
public final class Serializer<Message, Author> {
    @usableFromInline let core = Core<SerializedHandler<Message, Author>>()
    /// The observation of what comes out.
    public let id: ObservationID

    /// The core that the parts feed.
    public var anyCore: AnyCore { core }

    /// - Parameters:
    ///   - other: the observation in which this one goes on, behind a queue, if it does.
    ///   - parts: keeps observations that end with this one.
    ///   - make: makes the closure.
    @inlinable
    public init(
        continuingIn other: ObservationID? = nil, endingWith parts: Keeper? = nil,
        _ make: (ObservationID) -> (Message, Author) -> Void
    ) {
        id = core.observe(continuingIn: other) { SerializedHandler(call: make($0)) }
        if let parts { core.follow { _ in parts.stopAll() } }
    }

    @inlinable
    deinit { core.close() }

    /// Takes in a message, which is delivered unless its observation has ended by then.
    @inlinable
    public func send(_ message: Message, from part: ObservationID, author: Author) {
        _ = core.send(SerializedMessage(content: message, part: part), author: author)
    }

    /// Ends an observation when the messages have been delivered that have come from it.
    @inlinable
    public func finish(_ part: ObservationID) { core.afterEnqueued { part.finish() } }
}

/// An enqueued message, and by which observation it got there.
@usableFromInline
struct SerializedMessage<Content> {
    @usableFromInline let content: Content
    @usableFromInline let part: ObservationID

    @inlinable
    init(content: Content, part: ObservationID) {
        self.content = content
        self.part = part
    }
}

@usableFromInline
struct SerializedHandler<Content, Author>: MessageHandler {
    @usableFromInline let call: (Content, Author) -> Void

    @inlinable init(call: @escaping (Content, Author) -> Void) { self.call = call }

    @inlinable static var tombstone: SerializedHandler { SerializedHandler { _, _ in } }

    @inlinable
    func receive(_ message: SerializedMessage<Content>, _ author: Author) {
        // Its part may have been stopped while it was enqueued.
        if message.part.isLiving { call(message.content, author) }
    }

    @inlinable func end(_ destroy: Destroy?) {}
    @inlinable static func copy(_ message: SerializedMessage<Content>) -> SerializedMessage<Content>? { message }

    @inlinable
    static func withMessage(
        _ waiting: borrowing SerializedMessage<Content>, _ body: (SerializedMessage<Content>) -> Void
    ) { body(copy waiting) }
}
