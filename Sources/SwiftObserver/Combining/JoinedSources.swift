// SPDX-License-Identifier: MIT

import ObserverEngine

/// Several sources that are observed for one observable, and kept by it.
@usableFromInline
final class JoinedSources {
    @usableFromInline var observations: [ObservationID] = []
    @usableFromInline var sources: [AnyObject] = []
    @usableFromInline var messengers: [Unowned] = []
    @usableFromInline let close: () -> Void
    private var kept: Linked<[AnyObject]>?

    @usableFromInline
    struct Unowned {
        weak var messenger: (any AnyMessenger)?

        @usableFromInline init(messenger: any AnyMessenger) { self.messenger = messenger }
    }

    /// - Parameter close: ends the junction that their messages come into.
    @usableFromInline init(closing close: @escaping () -> Void) { self.close = close }

    /// Begins to observe a source. Called when the transform is made.
    @inlinable
    func observe<Source: Observable>(
        _ source: Source, feeding target: AnyCore, _ take: @escaping (Source.Message, AnyObject) -> Void
    ) {
        sources.append(source)
        let messenger = source.messenger
        messengers.append(Unowned(messenger: messenger))
        observations.append(messenger.observe(.authored(take), feeding: target))
    }

    /// All sources are observed.
    @usableFromInline
    func begin() {
        kept = Linked(sources)
        sources = []
    }

    @usableFromInline var feeding: [any AnyMessenger] { messengers.compactMap(\.messenger) }

    /// Ends for good.
    @usableFromInline
    func end() {
        for observation in observations { observation.stop() }
        close()
        kept?.letGo()
    }
}

/// A message of one of two sources.
@usableFromInline
enum OneOfTwo<First, Second> {
    case first(First)
    case second(Second)
}

extension JoinedSources {
    /// Two sources, whose messages one rule takes, one at a time.
    @inlinable @inline(__always)
    convenience init<First: Observable, Second: Observable>(
        _ first: First, _ second: Second, feeding target: AnyCore,
        _ rule: @escaping (OneOfTwo<First.Message, Second.Message>, AnyObject) -> Void
    ) {
        let line = Core<ClosureHandler<OneOfTwo<First.Message, Second.Message>>>()
        line.observe(.authored(rule))
        self.init { line.close() }
        observe(first, feeding: target) { [line] in _ = line.send(.first($0), author: $1) }
        observe(second, feeding: target) { [line] in _ = line.send(.second($0), author: $1) }
    }
}

/// Any number of sources, whose messages one rule takes, one at a time.
///
///     source --part--\
///     source --part---+--> junction --> rule --> transform
///
/// Their messages have several types. So what comes into the junction is a pointer to a message, and the part knows what
/// it points at; a message that has to wait is copied into a box.
@usableFromInline
struct JoinedParts {
    @usableFromInline typealias Rule = (_ part: AnyPart, _ message: UnsafeRawPointer, _ author: AnyObject) -> Void

    @usableFromInline let junction: Junction<PartHandler>
    @usableFromInline let sources: JoinedSources

    @inlinable
    init(_ rule: @escaping Rule) {
        let junction = Junction<PartHandler> { _, message, author in
            if let message { rule(message.part, message.pointer, author) }
            return true
        }
        self.junction = junction
        sources = JoinedSources { junction.close() }
    }

    @inlinable
    func observe<Source: Observable>(_ source: Source, as part: AnyPart, feeding target: AnyCore) {
        sources.observe(source, feeding: target) { [junction] message, author in
            withUnsafePointer(to: message) { pointer in
                _ = junction.take(PartMessage(part: part, pointer: pointer), of: 0, author: author)
            }
        }
    }
}

/// One of several sources. Used by their rule alone, but for `copy`.
@usableFromInline
class AnyPart {
    @inlinable init() {}

    @usableFromInline func copy(_ message: UnsafeRawPointer) -> AnyObject { fatalError("abstract") }
    @usableFromInline func withPointer(_ copy: AnyObject, _ body: (UnsafeRawPointer) -> Void) { fatalError("abstract") }

    /// Takes in a message.
    @usableFromInline func take(_ message: UnsafeRawPointer) {}

    /// The message has been passed on.
    @usableFromInline func forget() {}
}

/// A source of messages of a type.
@usableFromInline
class Part<Message>: AnyPart {
    @inlinable override init() {}

    @usableFromInline final override func copy(_ message: UnsafeRawPointer) -> AnyObject { Box(Part.message(message)) }

    @usableFromInline
    final override func withPointer(_ copy: AnyObject, _ body: (UnsafeRawPointer) -> Void) {
        withUnsafePointer(to: (copy as! Box<Message>).content) { body($0) }
    }

    @inlinable
    static func message(_ pointer: UnsafeRawPointer) -> Message {
        pointer.assumingMemoryBound(to: Message.self).pointee
    }
}

private final class Box<Content> {
    let content: Content
    init(_ content: Content) { self.content = content }
}

/// A message that is borrowed from its sender.
@usableFromInline
struct PartMessage {
    @usableFromInline let part: AnyPart
    @usableFromInline let pointer: UnsafeRawPointer

    @inlinable
    init(part: AnyPart, pointer: UnsafeRawPointer) {
        self.part = part
        self.pointer = pointer
    }
}

@usableFromInline
struct KeptMessage {
    let part: AnyPart
    let copy: AnyObject
}

@usableFromInline
struct PartHandler: MessageHandler {
    @usableFromInline let call: (PartMessage, AnyObject) -> Void

    @usableFromInline static var tombstone: PartHandler { PartHandler { _, _ in } }
    @usableFromInline init(_ call: @escaping (PartMessage, AnyObject) -> Void) { self.call = call }
    @inlinable func receive(_ message: PartMessage, _ author: AnyObject) { call(message, author) }
    @inlinable func end(_ destroy: Destroy?) {}

    @usableFromInline
    static func copy(_ message: PartMessage) -> KeptMessage? {
        KeptMessage(part: message.part, copy: message.part.copy(message.pointer))
    }

    @usableFromInline
    static func withMessage(_ waiting: borrowing KeptMessage, _ body: (PartMessage) -> Void) {
        let part = waiting.part
        part.withPointer(waiting.copy) { body(PartMessage(part: part, pointer: $0)) }
    }
}

/// Sends what is made of the messages of several observables. It holds them all.
public final class Joined<Message>: Observable {
    /// Carries the messages to the observers.
    public let messenger = Messenger<Message>(of: Joined.self)

    @usableFromInline let sources: JoinedSources

    /// - Parameter join: makes the rule and observes the sources.
    @usableFromInline
    init(_ join: (Core<ClosureHandler<Message>>) -> JoinedSources) {
        let target = messenger.core
        target.setDepthUnknown()
        sources = join(target)
        target.setDepth(above: sources.feeding.map { $0.anyCore })
        sources.begin()
        messenger.belongs(to: self)
    }

    deinit { messenger.endTransform(of: feeding) { [sources] in sources.end() } }
}

extension Joined: Upstream {
    @usableFromInline var feeding: [any AnyMessenger] { sources.feeding }
}

/// - Note: `@unchecked`: nothing of it changes but what its junction and its messenger guard. What it joins is kept, and
///   not used.
extension Joined: @unchecked Sendable where Message: Sendable {}
