// SPDX-License-Identifier: MIT

import Synchronization

/// The observations of one core, side by side in one block of memory.
///
///     count capacity | handler handler handler ... | record record record ...
///
/// The handlers stand by themselves, as dense as a plain array of `{function, context}`, because a
/// delivery reads nothing else. A block's count only grows while others may be reading it, so a
/// reader that takes the pointer once, and then the count, never reads beyond what was written.
@usableFromInline
struct Entries<Handler: MessageHandler> {
    @usableFromInline let base: UnsafeMutableRawPointer

    @usableFromInline static var headerSize: Int { 16 }

    @inlinable init(base: UnsafeMutableRawPointer) { self.base = base }

    @inlinable static func allocate(capacity: Int) -> Entries {
        let size = headerSize + capacity * (MemoryLayout<Handler>.stride + MemoryLayout<RecordPointer?>.stride)
        let entries = Entries(base: .allocate(byteCount: size, alignment: 16))
        entries.base.initializeMemory(as: Atomic<Int>.self, to: Atomic(0))
        entries.base.storeBytes(of: capacity, toByteOffset: 8, as: Int.self)
        return entries
    }

    /// Frees the memory, not the handlers in it.
    @inlinable func deallocate() { base.deallocate() }

    @inlinable var capacity: Int { base.load(fromByteOffset: 8, as: Int.self) }

    /// The thread that delivers reads this without a lock.
    @inlinable var count: Int {
        get { counter.pointee.load(ordering: .acquiring) }
        nonmutating set { counter.pointee.store(newValue, ordering: .releasing) }
    }

    @inlinable var counter: UnsafeMutablePointer<Atomic<Int>> {
        base.assumingMemoryBound(to: Atomic<Int>.self)
    }

    @inlinable var handlers: UnsafeMutablePointer<Handler> {
        (base + Entries.headerSize).assumingMemoryBound(to: Handler.self)
    }

    /// `nil` where an observation has ended.
    @inlinable var records: UnsafeMutablePointer<RecordPointer?> {
        (base + (Entries.headerSize &+ capacity &* MemoryLayout<Handler>.stride))
            .assumingMemoryBound(to: RecordPointer?.self)
    }

    /// The same for deliveries beside which observations end.
    @inlinable var atomicRecords: UnsafeMutablePointer<Atomic<RecordPointer?>> {
        UnsafeMutableRawPointer(records).assumingMemoryBound(to: Atomic<RecordPointer?>.self)
    }

    /// The position of a handler that an owner noted, if it stands in this block.
    @inlinable func position(of handler: UnsafeMutableRawPointer) -> Int? {
        let distance = handler - UnsafeMutableRawPointer(handlers)
        guard distance >= 0, distance < capacity * MemoryLayout<Handler>.stride else { return nil }
        return distance / MemoryLayout<Handler>.stride
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

extension UnsafeMutablePointer where Pointee: ~Copyable {
    @inlinable static func allocate(initializing value: consuming Pointee) -> UnsafeMutablePointer {
        let pointer = UnsafeMutablePointer.allocate(capacity: 1)
        pointer.initialize(to: value)
        return pointer
    }
}
