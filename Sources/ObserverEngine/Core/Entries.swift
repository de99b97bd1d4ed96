// SPDX-License-Identifier: MIT

import CPlatform
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

extension Core {
    /// The block, with room for one more. The lock is held.
    @inlinable
    func entriesWithRoom() -> Entries<Handler> {
        guard let entries else {
            array.store(inlineEntry, ordering: .releasing)
            return Entries(base: inlineEntry)
        }
        let count = entries.count
        if count < entries.capacity { return entries }
        // Many take little room to spare: it is most of what could be saved.
        return move(entries, count, toCapacity: count < 4 ? count * 2 : count + count / (count < 64 ? 2 : 4))
    }

    /// Moves the entries into another block. The lock is held.
    @inlinable
    func move(_ entries: Entries<Handler>, _ count: Int, toCapacity capacity: Int) -> Entries<Handler> {
        let moved = Entries<Handler>.allocate(capacity: capacity)
        // Bit by bit: an owner may be calling the handlers in the old block, whose memory is freed
        // without touching them.
        UnsafeMutableRawPointer(moved.handlers).copyMemory(
            from: entries.handlers, byteCount: count * MemoryLayout<Handler>.stride)
        UnsafeMutableRawPointer(moved.slots).copyMemory(
            from: entries.slots, byteCount: count * MemoryLayout<SlotPointer?>.stride)
        moved.count = count
        moved.tombstones = tombstones(in: entries)
        array.store(moved.base, ordering: .releasing)
        // Raising any bit of a state that is not owned keeps owners out; they then find the new block.
        if state.announceWork() & CoreState.owned != 0 {
            keep(entries, number: 0)
        } else if isDeliveringUnordered {
            keep(entries, number: retire())
        } else {
            if state.load() & CoreState.closed == 0 { state.finishWork() }
            discard(entries.base)
        }
        return moved
    }

    /// Keeps a block that a delivery may still be reading. The lock is held.
    @inlinable @inline(never)
    func keep(_ entries: Entries<Handler>, number: UInt) {
        makeBacklog().pointee.retiredArrays.append(RetiredArray(base: entries.base, number: number))
    }

    /// Frees a block that nothing reads any more, and not what is in it. The inline entry goes with the core.
    @inlinable @inline(never)
    func discard(_ base: UnsafeMutableRawPointer) {
        if base != inlineEntry { Entries<Handler>(base: base).deallocate() }
    }

    /// How many entries belong to ended observations. The lock is held.
    @inlinable
    func tombstones(in entries: Entries<Handler>) -> Int {
        guard entries.base == inlineEntry else { return entries.tombstones }
        return entries.count == 1 && entries.slots[0] == nil ? 1 : 0
    }

    /// Closes the gaps in the entries when half of them are tombstones, and at the end always, so that an
    /// observation costs constant time on average. No thread is the owner, and the lock is held.
    @inlinable
    func compact() {
        guard let entries, case var tombstones = tombstones(in: entries), tombstones > 0 else { return }
        var count = entries.count
        // Unordered deliveries go on in the block as it is.
        let isRead = isDeliveringUnordered
        while !isRead, count > 0, entries.slots[count - 1] == nil {
            count -= 1
            if !isUnordered { (entries.handlers + count).deinitialize(count: 1) }
            tombstones -= 1
        }
        let kept = count - tombstones, hasTombstones = tombstones > 8 && tombstones > count / 2
        let isWide = !isRead && entries.capacity > 16 && kept < entries.capacity / 4
        guard hasTombstones || isWide else {
            if isRead { return }
            if entries.base != inlineEntry { entries.tombstones = tombstones }
            entries.count = count
            return
        }
        let isMoving = isRead || isWide
        let target = isMoving ? Entries<Handler>.allocate(capacity: max(1, isRead ? kept : kept * 2)) : entries
        count = moveLiving(entries, count, into: target)
        target.tombstones = 0
        target.count = count
        guard isMoving else { return }
        array.store(target.base, ordering: .releasing)
        if isRead {
            keep(entries, number: retire())
        } else {
            entries.deallocate()
        }
    }

    /// Moves the entries to where they are without tombstones, in the same block or another one. The lock is held.
    ///
    /// - Returns: How many there are.
    @inlinable
    func moveLiving(_ entries: Entries<Handler>, _ count: Int, into target: Entries<Handler>) -> Int {
        var kept = 0
        for position in 0..<count {
            guard let slot = entries.slots[position] else {
                if !isUnordered { (entries.handlers + position).deinitialize(count: 1) }
                continue
            }
            (target.handlers + kept).moveInitialize(from: entries.handlers + position, count: 1)
            target.slots[kept] = slot
            slot.pointee.position = Int32(truncatingIfNeeded: kept)
            kept += 1
        }
        return kept
    }
}
