// SPDX-License-Identifier: MIT

import CPlatform
import Synchronization

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
