// SPDX-License-Identifier: MIT

import CPlatform
import Synchronization

/// A handler, and how messages of its kind wait.
///
/// The engine is generic over this, so that a Swift closure and a C function with its context are
/// both called without anything in between.
public protocol MessageHandler {
    /// A message as a handler receives it; it may borrow what it points at.
    associatedtype Message
    /// A message that owns all it needs, because it has to wait in the queue.
    associatedtype Stored
    /// The one who caused a message.
    associatedtype Author

    /// A handler that does nothing. It takes the place of one that was stopped.
    static var tombstone: Self { get }

    func receive(_ message: Message, _ author: Author)

    /// Whether it is one that users know, or calls theirs.
    static var isUsers: Bool { get }

    /// What only a handler that is the same has, for a lint; or zeros. The lock is held.
    var identity: (UInt, UInt) { get }

    /// The object that is an observable for its users, where it is not its variable: what depends on it keeps that alive.
    static func owner(of core: AnyCore) -> UnsafeMutableRawPointer?

    /// The author, as probes and traces have it.
    static func address(of author: Author) -> UnsafeRawPointer?

    /// Calls with the author of a change, and of what type that is, for answers: with neither where the observable itself
    /// is. The lock is held.
    static func withType<Result>(
        of author: Author, in core: AnyCore, _ body: (UnsafeRawPointer?, UnsafePointer<CChar>?) -> Result
    ) -> Result

    /// A change has been noted: for debuggers to stop in.
    static func changed(_ core: AnyCore, _ name: UnsafePointer<CChar>?)

    /// Tells a cause what values a message has (`platform_cause_tell`). Runs foreign code, perhaps.
    static func tell(_ cause: OpaquePointer?, _ message: Message)

    /// Releases what the handler holds, after its last call. No lock is held.
    func end(_ destroy: Destroy?)

    /// Copies a message for the queue; `nil` if there is no memory for it. No lock is held.
    static func copy(_ message: Message) -> Stored?

    /// Calls `body` with a message that has waited.
    static func withMessage(_ waiting: borrowing Stored, _ body: (Message) -> Void)
}

extension MessageHandler {
    @inlinable public static var isUsers: Bool { true }
    @inlinable public var identity: (UInt, UInt) { (0, 0) }
    @inlinable public static func owner(of core: AnyCore) -> UnsafeMutableRawPointer? { nil }
    @inlinable public static func address(of author: Author) -> UnsafeRawPointer? { nil }
    public static func withType<Result>(
        of author: Author, in core: AnyCore, _ body: (UnsafeRawPointer?, UnsafePointer<CChar>?) -> Result
    ) -> Result { body(address(of: author), nil) }
    @inlinable public static func changed(_ core: AnyCore, _ name: UnsafePointer<CChar>?) {}

    #if hasFeature(Embedded)
        public static func tell(_ cause: OpaquePointer?, _ message: Message) {}
    #else
        public static func tell(_ cause: OpaquePointer?, _ message: Message) {
            if let update = message as? any AnyUpdate {
                platform_cause_tell(cause, strdup(update.texts.old), strdup(update.texts.new))
            } else {
                platform_cause_tell(cause, nil, strdup(String(describing: message)))
            }
        }
    #endif
}

#if !hasFeature(Embedded)
    /// The message of a variable, whatever its value is.
    public protocol AnyUpdate {
        var texts: (old: String, new: String) { get }
    }
#endif

/// The heart of an observable: its observations, its queue, and the rules of delivery.
///
/// The parts: sending (`Sending`), the beginning and the end of observations (`Observing`), their entries (`Entries`),
/// what an owner does (`Draining`, `Barriers`), bias (`Bias`), unordered deliveries (`Unordered`), and replays
/// (`Replay`).
public final class Core<Handler: MessageHandler>: AnyCore, @unchecked Sendable {
    public typealias Message = Handler.Message
    public typealias Stored = Handler.Stored
    public typealias Author = Handler.Author

    /// Replaced under the lock only. Read by the owner. `nil` before the first observation, then the inline entry,
    /// until there is a second observation beside the first.
    @usableFromInline let array: Atomic<UnsafeMutableRawPointer?>
    /// Left once, and never used again, because a delivery may still be reading it.
    @usableFromInline let inlined = InlineEntry<Handler>()
    /// The handler that the owner is about to call or is calling.
    @usableFromInline let hazard = Atomic<UnsafeMutableRawPointer?>(nil)

    /// - Parameter kind: what kind of observable this is the core of, for the vocabulary to read.
    @inlinable
    public override init(kind: UnsafeRawPointer? = nil) {
        array = Atomic(nil)
        super.init(kind: kind)
        #if !hasFeature(Embedded)
            ending = { unsafeDowncast($0, to: Core.self).end($1) }
        #endif
    }

    #if !hasFeature(Embedded)
        /// - Parameter type: the observable that this is the core of, for pictures and answers.
        @inlinable
        public convenience init(of type: Any.Type) { self.init(kind: unsafeBitCast(type, to: UnsafeRawPointer.self)) }
    #endif

    deinit {
        if let backlog {
            backlog.pointee.inbox?.free()
            backlog.pointee.changes.drop(before: .max)
            backlog.deinitialize(count: 1)
            backlog.deallocate()
        }
        // Closed by now: every handler has been taken out.
        if let entries {
            entries.handlers.deinitialize(count: entries.count)
            discard(entries.base)
            // What was there has been taken out, or has moved.
            Entries<Handler>(base: inlineEntry).handlers.withMemoryRebound(to: Handler?.self, capacity: 1) {
                $0.initialize(to: nil)
            }
        }
    }

    #if hasFeature(Embedded)
        @inlinable override func endUnlocking(_ slot: SlotPointer) { end(slot) }
    #endif

    @inlinable override func endPin(of slot: SlotPointer) { withLock { unpin(slot) }?.end() }

    @inlinable override var protectedHandler: UnsafeMutableRawPointer? { hazard.load(ordering: .acquiring) }

    @inlinable override func slot(ofHandler handler: UnsafeMutableRawPointer) -> SlotPointer? {
        if let entries, let position = entries.position(of: handler) { return entries.slots[position] }
        for old in backlog?.pointee.retiredArrays ?? [] {
            let entries = Entries<Handler>(base: old.base)
            if let position = entries.position(of: handler) { return entries.slots[position] }
        }
        return nil
    }

    /// The lock is held while the closure runs, which therefore does nothing but look.
    @inlinable
    override func forEachSlot(_ body: (SlotPointer) -> Void) {
        lock()
        defer { unlock() }
        guard let entries else { return }
        for position in 0..<entries.count {
            if let slot = entries.slots[position], slot.pointee.isLiving { body(slot) }
        }
    }

    @inlinable override func handlerIdentity(of slot: SlotPointer) -> (UInt, UInt) {
        guard let entries, slot.pointee.position != Slot.detached else { return (0, 0) }
        return (entries.handlers + Int(slot.pointee.position)).pointee.identity
    }

    @inlinable override func changeTombstones(filling: Bool) {
        guard let entries else { return }
        for place in 0..<entries.count where entries.slots[place] == nil {
            if filling {
                (entries.handlers + place).initialize(to: Handler.tombstone)
            } else {
                (entries.handlers + place).deinitialize(count: 1)
            }
        }
    }

    /// Delivers what has waited since `suspend`.
    @inlinable @discardableResult
    public override func resume() -> Outcome {
        owner.store(platform_thread(), ordering: .relaxed)
        return withHooks { drain() }
    }

    @inlinable var inlineEntry: UnsafeMutableRawPointer {
        withUnsafePointer(to: inlined) { UnsafeMutableRawPointer(mutating: $0) }
    }

    @inlinable var entries: Entries<Handler>? {
        array.load(ordering: .acquiring).map { Entries(base: $0) }
    }
}

/// A handler that has had its last call, with what ends its context.
@usableFromInline
struct DeferredDestruction<Handler: MessageHandler> {
    @usableFromInline let handler: Handler
    @usableFromInline let destroy: Destroy?

    @inlinable init(handler: Handler, destroy: Destroy?) {
        self.handler = handler
        self.destroy = destroy
    }

    /// Runs foreign code: no lock may be held.
    @inlinable func end() { handler.end(destroy) }
}

extension Core {
    /// Makes all messages wait until `resume`, as if one were being delivered. Call this before any can be sent.
    public func suspend() {
        lock()
        _ = tryAcquireLocked()
        unlock()
    }
}
