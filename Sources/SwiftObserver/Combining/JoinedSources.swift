// SPDX-License-Identifier: MIT

import ObserverEngine

/// Several sources, whose messages one rule takes, one at a time.
///
///     source --part--\
///     source --part---+--> junction --> rule --> transform
///
/// Their messages have several types. So what comes into the junction is a pointer to a message, and the part knows what
/// it points at; a message that has to wait is copied into a box.
final class JoinedSources {
    typealias Rule = (_ part: AnyPart, _ message: UnsafeRawPointer, _ author: AnyObject) -> Void

    private let junction: Junction<PartHandler>
    private var observations: [ObservationID] = []
    private var sources: [AnyObject] = []
    private var messengers: [Unowned] = []
    private var kept: Linked<[AnyObject]>?

    private struct Unowned {
        weak var messenger: (any AnyMessenger)?
    }

    init(_ rule: @escaping Rule) {
        junction = Junction { _, message, author in
            if let message { rule(message.part, message.pointer, author) }
            return true
        }
    }

    /// Begins to observe a source. Called when the transform is made.
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
    func begin() {
        kept = Linked(sources)
        sources = []
    }

    var feeding: [any AnyMessenger] { messengers.compactMap(\.messenger) }

    /// Ends for good.
    func end() {
        for observation in observations { observation.stop() }
        junction.close()
        kept?.letGo()
    }
}

/// One of several sources. Used by their rule alone, but for `copy`.
class AnyPart {
    func copy(_ message: UnsafeRawPointer) -> AnyObject { fatalError("abstract") }
    func withPointer(_ copy: AnyObject, _ body: (UnsafeRawPointer) -> Void) { fatalError("abstract") }
}

/// A source of messages of a type.
class Part<Message>: AnyPart {
    final override func copy(_ message: UnsafeRawPointer) -> AnyObject { Box(Part.message(message)) }

    final override func withPointer(_ copy: AnyObject, _ body: (UnsafeRawPointer) -> Void) {
        withUnsafePointer(to: (copy as! Box<Message>).content) { body($0) }
    }

    static func message(_ pointer: UnsafeRawPointer) -> Message {
        pointer.assumingMemoryBound(to: Message.self).pointee
    }
}

private final class Box<Content> {
    let content: Content
    init(_ content: Content) { self.content = content }
}

/// A message that is borrowed from its sender.
private struct PartMessage {
    let part: AnyPart
    let pointer: UnsafeRawPointer
}

private struct KeptMessage {
    let part: AnyPart
    let copy: AnyObject
}

private struct PartHandler: MessageHandler {
    let call: (PartMessage, AnyObject) -> Void

    static var tombstone: PartHandler { PartHandler { _, _ in } }
    func receive(_ message: PartMessage, _ author: AnyObject) { call(message, author) }
    func end(_ destroy: Destroy?) {}

    static func copy(_ message: PartMessage) -> KeptMessage? {
        KeptMessage(part: message.part, copy: message.part.copy(message.pointer))
    }

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
