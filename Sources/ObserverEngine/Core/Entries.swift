// SPDX-License-Identifier: MIT

import Synchronization

/// The observations of one core, side by side in one block of memory, or the only one in the core itself.
///
///     tombstones | count capacity | handler handler handler ... | slot slot slot ...
///             count 1        | handler                     | slot                       (`InlineEntry`)
///
/// The handlers stand by themselves, as dense as a plain array of `{function, context}`, because a
/// delivery reads nothing else. A block's count only grows while others may be reading it, so a
/// reader that takes the pointer once, and then the count, never reads beyond what was written.
@usableFromInline
struct Entries<Handler: MessageHandler> {
    @usableFromInline let base: UnsafeMutableRawPointer

    @usableFromInline static var headerSize: Int { 8 }
    /// The size of what stands before the header of a block that is not in the core.
    @usableFromInline static var tombstonesSize: Int { 8 }

    @inlinable init(base: UnsafeMutableRawPointer) { self.base = base }

    @inlinable static func allocate(capacity: Int) -> Entries {
        let size = headerSize + capacity * (MemoryLayout<Handler>.stride + MemoryLayout<SlotPointer?>.stride)
        let entries = Entries(base: .allocate(byteCount: tombstonesSize + size, alignment: 16) + tombstonesSize)
        entries.base.initializeMemory(as: Atomic<UInt32>.self, to: Atomic(0))
        entries.base.storeBytes(of: UInt32(truncatingIfNeeded: capacity), toByteOffset: 4, as: UInt32.self)
        entries.tombstones = 0
        return entries
    }

    /// Frees the memory, not the handlers in it. Not that of an inline entry.
    @inlinable func deallocate() { (base - Entries.tombstonesSize).deallocate() }

    @inlinable var capacity: Int { Int(base.load(fromByteOffset: 4, as: UInt32.self)) }

    /// The thread that delivers reads this without a lock.
    @inlinable var count: Int {
        get { Int(counter.pointee.load(ordering: .acquiring)) }
        nonmutating set { counter.pointee.store(UInt32(truncatingIfNeeded: newValue), ordering: .releasing) }
    }

    @inlinable var counter: UnsafeMutablePointer<Atomic<UInt32>> {
        base.assumingMemoryBound(to: Atomic<UInt32>.self)
    }

    /// How many entries belong to ended observations. Not that of an inline entry. Guarded by the lock.
    @inlinable var tombstones: Int {
        get { Int((base - Entries.tombstonesSize).load(as: UInt32.self)) }
        nonmutating set {
            (base - Entries.tombstonesSize).storeBytes(of: UInt32(truncatingIfNeeded: newValue), as: UInt32.self)
        }
    }

    @inlinable var handlers: UnsafeMutablePointer<Handler> {
        (base + Entries.headerSize).assumingMemoryBound(to: Handler.self)
    }

    /// `nil` where an observation has ended.
    @inlinable var slots: UnsafeMutablePointer<SlotPointer?> {
        (base + (Entries.headerSize &+ capacity &* MemoryLayout<Handler>.stride))
            .assumingMemoryBound(to: SlotPointer?.self)
    }

    /// The same for deliveries beside which observations end.
    @inlinable var atomicSlots: UnsafeMutablePointer<Atomic<SlotPointer?>> {
        UnsafeMutableRawPointer(slots).assumingMemoryBound(to: Atomic<SlotPointer?>.self)
    }

    /// The position of a handler that an owner protects, if it stands in this block.
    @inlinable func position(of handler: UnsafeMutableRawPointer) -> Int? {
        let distance = handler - UnsafeMutableRawPointer(handlers)
        guard distance >= 0, distance < capacity * MemoryLayout<Handler>.stride else { return nil }
        return distance / MemoryLayout<Handler>.stride
    }
}

/// Room for one entry in the core itself, laid out as a block of one: most observables never have two, and a block
/// would take 48 bytes and an allocation of each.
///
/// Only what its `Entries` do with it counts. The `Optional` is for its being empty when the core is made and when it
/// dies: no handler needs more room for that, as each begins with a reference or a function.
@usableFromInline
struct InlineEntry<Handler: MessageHandler>: ~Copyable {
    @usableFromInline let count = Atomic<UInt32>(0)
    @usableFromInline let capacity: UInt32 = 1
    @usableFromInline let handler: Handler? = nil
    @usableFromInline let slot: SlotPointer? = nil

    @inlinable init() {
        assert(MemoryLayout<Self>.size == 8 + MemoryLayout<Handler>.stride + MemoryLayout<SlotPointer?>.size)
    }
}

/// A handler where it stands, to be called without a copy.
///
/// To copy a closure is to retain and to release what it captures, which costs more than all the rest
/// of a call. Nothing ends a handler that an owner may be calling, so the owner need not keep it.
@usableFromInline
struct StandingHandler<Handler: MessageHandler>: ~Copyable {
    @usableFromInline let handler: Handler

    @inlinable
    borrowing func receive(_ message: Handler.Message, _ author: Handler.Author) {
        handler.receive(message, author)
    }
}
