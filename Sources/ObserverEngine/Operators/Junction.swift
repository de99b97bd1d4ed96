// SPDX-License-Identifier: MIT

/// Brings what several parts send into one line, at whose end one rule decides what follows.
///
///     source 0 --take(0)--\
///     source 1 --take(1)---+--> [line] --> rule --> transform
///     a clock  --signal---/
///
/// So the rule needs no lock for what it remembers: it is called for one message at a time, whatever threads send. Where
/// nothing else is going on it is called at once, with the message as it was sent; a message that has to wait is copied.
///
/// The observations of the parts hold the junction. `close` ends it, and lets go of the rule.
public final class Junction<Handler: MessageHandler>: @unchecked Sendable {
    /// What is done with a message, or, without one, with a signal. Returns false if that has failed.
    public typealias Rule = (_ part: Int, _ message: Handler.Message?, _ author: Handler.Author) -> Bool

    @usableFromInline let core: Core<PartHandler<Handler>>
    /// The observation of what comes out: once that is stopped, nothing does.
    public let id: ObservationID

    @inlinable
    public init(_ rule: @escaping Rule) {
        let core = Core<PartHandler<Handler>>()
        self.core = core
        id = core.observe(PartHandler(rule, .passUnretained(core as AnyCore)))
    }

    @inlinable
    deinit { core.close() }

    /// Takes in a message of a part.
    @inlinable
    public func take(_ message: Handler.Message, of part: Int, author: Handler.Author) -> Outcome {
        core.send(PartMessage(part: part, message: message), author: author)
    }

    /// Takes in what is no message.
    public func signal(_ signal: Int, author: Handler.Author) -> Outcome {
        core.send(PartMessage(part: signal, message: nil), author: author)
    }

    /// Calls as soon as the observation is stopped, without a lock.
    public func whenStopped(_ call: @escaping () -> Void) { core.follow { _ in call() } }

    /// Nothing comes out any more.
    public func close() { id.stop() }
}

/// A message, and the part that it is of.
@usableFromInline
struct PartMessage<Message> {
    @usableFromInline let part: Int
    @usableFromInline let message: Message?

    @inlinable
    init(part: Int, message: Message?) {
        self.part = part
        self.message = message
    }
}

@usableFromInline
struct PartHandler<Handler: MessageHandler>: MessageHandler {
    @usableFromInline typealias Message = PartMessage<Handler.Message>
    @usableFromInline typealias Stored = PartMessage<Handler.Stored>
    @usableFromInline typealias Author = Handler.Author

    @usableFromInline let rule: Junction<Handler>.Rule
    /// To which a rule that has failed is reported: that of this handler.
    @usableFromInline let core: Unmanaged<AnyCore>?

    @inlinable
    init(_ rule: @escaping Junction<Handler>.Rule, _ core: Unmanaged<AnyCore>?) {
        self.rule = rule
        self.core = core
    }

    @inlinable static var isUsers: Bool { false }
    @inlinable static var tombstone: PartHandler { PartHandler({ _, _, _ in true }, nil) }

    @inlinable
    func receive(_ message: Message, _ author: Author) {
        if !rule(message.part, message.message, author) { core?._withUnsafeGuaranteedRef { $0.reportFailure() } }
    }

    @inlinable func end(_ destroy: Destroy?) {}

    @inlinable
    static func copy(_ message: Message) -> Stored? {
        guard let content = message.message else { return Stored(part: message.part, message: nil) }
        return Handler.copy(content).map { Stored(part: message.part, message: $0) }
    }

    @inlinable
    static func withMessage(_ waiting: borrowing Stored, _ body: (Message) -> Void) {
        let part = waiting.part
        guard let content = waiting.message else { return body(Message(part: part, message: nil)) }
        Handler.withMessage(content) { body(Message(part: part, message: $0)) }
    }
}
