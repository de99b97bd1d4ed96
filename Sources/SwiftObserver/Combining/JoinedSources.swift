// SPDX-License-Identifier: MIT

import ObserverEngine

/// Several sources, whose messages one rule takes, one at a time.
///
///     source --part--\
///     source --part---+--> junction --> rule --> transform
///
/// Their messages have several types. So what comes into the junction is a pointer to a message, and the part knows what
/// it points at; a message that has to wait is copied into a box.
@usableFromInline
final class JoinedSources {
    @usableFromInline typealias Rule = (_ part: AnyPart, _ message: UnsafeRawPointer, _ author: AnyObject) -> Void

    @usableFromInline let junction: Junction<PartHandler>
    @usableFromInline var observations: [ObservationID] = []
    @usableFromInline var sources: [AnyObject] = []
    @usableFromInline var messengers: [Unowned] = []
    private var kept: Linked<[AnyObject]>?

    @usableFromInline
    struct Unowned {
        weak var messenger: (any AnyMessenger)?

        @usableFromInline init(messenger: any AnyMessenger) { self.messenger = messenger }
    }

    @inlinable
    init(_ rule: @escaping Rule) {
        junction = Junction { _, message, author in
            if let message { rule(message.part, message.pointer, author) }
            return true
        }
    }

    /// Begins to observe a source. Called when the transform is made.
    @inlinable
    func observe<Source: Observable>(_ source: Source, as part: AnyPart, feeding target: AnyCore) {
        sources.append(source)
        let messenger = source.messenger
        messengers.append(Unowned(messenger: messenger))
        observations.append(
            messenger.observe(
                .authored { [junction] message, author in
                    withUnsafePointer(to: message) { pointer in
                        let message = PartMessage(part: part, pointer: pointer)
                        _ = junction.take(message, of: 0, author: author)
                    }
                }, feeding: target))
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
        junction.close()
        kept?.letGo()
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

    private let sources: JoinedSources

    /// - Parameter join: makes the rule and observes the sources.
    init(_ join: (Core<ClosureHandler<Message>>) -> JoinedSources) {
        let target = messenger.core
        target.setDepthUnknown()
        sources = join(target)
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
