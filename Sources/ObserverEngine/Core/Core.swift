// SPDX-License-Identifier: MIT

import CPlatform
import Synchronization

/// The heart of an observable: its observations, its queue, and the rules of delivery.
///
/// The parts: sending (`Core+Sending`), the beginning and the end of observations (`Core+Observing`), their entries
/// (`Core+Entries`), what an owner does (`Core+Draining`, `Core+Ending`), unordered deliveries
/// (`Core+Unordered`), and replays (`Operators/Core+Replay`).
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
