// SPDX-License-Identifier: MIT

/// Brings the messages of several observables into one line, at whose end stands one closure.
///
///     observable --part--\
///     observable --part---+--> line --> closure
///
/// Without it the closure would run on two threads at once, or inside itself, for the observables know
/// nothing of each other. The parts hold the line. When the last of them has ended, so does the line.
public final class Line<Message, Author> {
    @usableFromInline let core = Core<LineEnd<Message, Author>>()
    /// The observation of the line by what stands at its end.
    public let id: ObservationID

    @inlinable
    public init(_ receive: @escaping (Message, Author) -> Void) {
        id = core.observe(LineEnd(call: receive))
    }

    @inlinable
    deinit { core.close() }

    /// Puts a message into the line.
    @inlinable
    public func send(_ message: Message, from part: LatePart, author: Author) {
        _ = core.send(LinePlace(content: message, part: part), author: author)
    }

    /// Puts into the line what is made of the messages of an observable.
    ///
    /// - Parameter begin: begins to observe it.
    @inlinable
    public func observe<Handler: ClosureConvertible>(
        _ make: @escaping (Handler.Message) -> Message?, begin: (Handler) -> ObservationID
    ) -> ObservationID where Handler.Author == Author {
        let part = LatePart()
        let id = begin(
            Handler { [self] message, author in
                if let made = make(message) { send(made, from: part, author: author) }
            })
        part.begin(id)
        return id
    }
}

/// The id of an observation whose handler may be called before anybody knows it.
public final class LatePart: Sendable {
    @usableFromInline let id = Guarded<ObservationID?>(nil)

    @inlinable public init() {}
    @inlinable public func begin(_ id: ObservationID) { self.id.withLock { $0 = id } }
    @inlinable public var isLiving: Bool { id.withLock { $0 }?.isLiving ?? true }
}

/// A message in a line, and by whom it got there.
@usableFromInline
struct LinePlace<Content> {
    @usableFromInline let content: Content
    @usableFromInline let part: LatePart

    @inlinable
    init(content: Content, part: LatePart) {
        self.content = content
        self.part = part
    }
}

/// What stands at the end of a line.
@usableFromInline
struct LineEnd<Content, Author>: MessageHandler {
    @usableFromInline let call: (Content, Author) -> Void

    @inlinable init(call: @escaping (Content, Author) -> Void) { self.call = call }

    @inlinable static var inert: LineEnd { LineEnd { _, _ in } }

    @inlinable
    func receive(_ message: LinePlace<Content>, _ author: Author) {
        // It may have been stopped while the message stood in the line.
        if message.part.isLiving { call(message.content, author) }
    }

    @inlinable func end(_ destroy: Destroy?) {}
    @inlinable static func keep(_ message: LinePlace<Content>) -> LinePlace<Content>? { message }

    @inlinable
    static func withMessage(_ waiting: borrowing LinePlace<Content>, _ body: (LinePlace<Content>) -> Void) {
        body(copy waiting)
    }
}
