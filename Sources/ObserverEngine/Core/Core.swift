// SPDX-License-Identifier: MIT

import CPlatform
import Synchronization

/// The heart of an observable: its observations, its queue, and the rules of delivery.
///
/// The parts: sending (`Core+Sending`), the beginning and the end of observations (`Core+Observing`),
/// their entries (`Core+Entries`), what an owner clears away (`Core+Owning`), unordered deliveries
/// (`Core+Unordered`), and replays (`Transforms/Core+Replay`).
public final class Core<Handler: MessageHandler>: AnyCore, @unchecked Sendable {
    public typealias Message = Handler.Message
    public typealias Waiting = Handler.Waiting
    public typealias Author = Handler.Author

    /// Replaced under the lock only. Read by the owner. `nil` before the first observation, then the first place, until there
    /// is a second observation beside the first.
    @usableFromInline let block: Atomic<UnsafeMutableRawPointer?>
    /// Left once, and never used again, because a delivery may still be reading it.
    @usableFromInline let first = FirstPlace<Handler>()
    /// The handler that the owner is about to call or is calling.
    @usableFromInline let current = Atomic<UnsafeMutableRawPointer?>(nil)

    /// - Parameter kind: what kind of observable this is the core of, for the vocabulary to read.
    @inlinable
    public override init(kind: UnsafeRawPointer? = nil) {
        block = Atomic(nil)
        super.init(kind: kind)
        #if !hasFeature(Embedded)
            ending = { unsafeDowncast($0, to: Core.self).end($1) }
        #endif
    }

    deinit {
        if let backlog {
            backlog.pointee.line?.free()
            backlog.pointee.changes.drop(before: .max)
            backlog.deinitialize(count: 1)
            backlog.deallocate()
        }
        // Closed by now: every handler has been taken out.
        if let entries {
            entries.handlers.deinitialize(count: entries.count)
            discard(entries.base)
            // What was there has been taken out, or has moved.
            Entries<Handler>(base: firstPlace).handlers.withMemoryRebound(to: Handler?.self, capacity: 1) {
                $0.initialize(to: nil)
            }
        }
    }

    #if hasFeature(Embedded)
        @inlinable override func endUnlocking(_ record: RecordPointer) { end(record) }
    #endif

    @inlinable override func endPin(of record: RecordPointer) { withLock { unpin(record) }?.end() }

    @inlinable override var noted: UnsafeMutableRawPointer? { current.load(ordering: .acquiring) }

    @inlinable override func record(ofHandler handler: UnsafeMutableRawPointer) -> RecordPointer? {
        if let entries, let position = entries.position(of: handler) { return entries.records[position] }
        for old in backlog?.pointee.oldBlocks ?? [] {
            let entries = Entries<Handler>(base: old.base)
            if let position = entries.position(of: handler) { return entries.records[position] }
        }
        return nil
    }

    /// The lock is held while the closure runs, which therefore does nothing but look.
    @inlinable
    override func forEachRecord(_ body: (RecordPointer) -> Void) {
        lock()
        defer { unlock() }
        guard let entries else { return }
        for position in 0..<entries.count {
            if let record = entries.records[position], record.pointee.isLiving { body(record) }
        }
    }

    @inlinable override func changeGaps(filling: Bool) {
        guard let entries else { return }
        for place in 0..<entries.count where entries.records[place] == nil {
            if filling {
                (entries.handlers + place).initialize(to: Handler.inert)
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

    @inlinable var firstPlace: UnsafeMutableRawPointer {
        withUnsafePointer(to: first) { UnsafeMutableRawPointer(mutating: $0) }
    }

    @inlinable var entries: Entries<Handler>? {
        block.load(ordering: .acquiring).map { Entries(base: $0) }
    }
}

/// A handler that has had its last call, with what ends its context.
@usableFromInline
struct Finished<Handler: MessageHandler> {
    @usableFromInline let handler: Handler
    @usableFromInline let destroy: Destroy?

    @inlinable init(handler: Handler, destroy: Destroy?) {
        self.handler = handler
        self.destroy = destroy
    }

    /// Runs foreign code: no lock may be held.
    @inlinable func end() { handler.end(destroy) }
}
