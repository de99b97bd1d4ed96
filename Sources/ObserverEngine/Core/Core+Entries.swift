// SPDX-License-Identifier: MIT

import CPlatform
import Synchronization

extension Core {
    /// The block, with room for one more. The lock is held.
    @inlinable
    func entriesWithRoom() -> Entries<Handler> {
        guard let entries else {
            let first = Entries<Handler>.allocate(capacity: 1)
            block.store(first.base, ordering: .releasing)
            return first
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
        UnsafeMutableRawPointer(moved.records).copyMemory(
            from: entries.records, byteCount: count * MemoryLayout<RecordPointer?>.stride)
        moved.count = count
        block.store(moved.base, ordering: .releasing)
        // Raising any bit of a state that is not owned keeps owners out; they then find the new block.
        if raise(CoreState.work) & CoreState.owned != 0 {
            makeBacklog().pointee.oldBlocks.append(OldBlock(base: entries.base, number: 0))
        } else if isDeliveringUnordered {
            makeBacklog().pointee.oldBlocks.append(OldBlock(base: entries.base, number: retire()))
        } else {
            if state.load(ordering: .relaxed) & CoreState.closed == 0 { lower(CoreState.work) }
            entries.deallocate()
        }
        return moved
    }

    /// Closes the gaps in the entries when half of them are gaps, and at the end always, so that an
    /// observation costs constant time on average. No thread is the owner, and the lock is held.
    @inlinable
    func compact() {
        guard inert > 0, let entries else { return }
        var count = entries.count
        // Unordered deliveries go on in the block as it is.
        let isRead = isDeliveringUnordered
        while !isRead, count > 0, entries.records[count - 1] == nil {
            count -= 1
            if !isUnordered { (entries.handlers + count).deinitialize(count: 1) }
            inert -= 1
        }
        if inert > 8 && Int(inert) > count / 2 {
            let target = isRead ? Entries<Handler>.allocate(capacity: max(1, Int(living))) : entries
            count = closeGaps(entries, count, into: target)
            inert = 0
            if isRead {
                target.count = count
                block.store(target.base, ordering: .releasing)
                makeBacklog().pointee.oldBlocks.append(OldBlock(base: entries.base, number: retire()))
                return
            }
        }
        if isRead { return }
        entries.count = count
        if entries.capacity > 16, count < entries.capacity / 4 {
            let smaller = Entries<Handler>.allocate(capacity: max(1, count * 2))
            smaller.handlers.moveInitialize(from: entries.handlers, count: count)
            smaller.records.moveInitialize(from: entries.records, count: count)
            smaller.count = count
            block.store(smaller.base, ordering: .releasing)
            entries.deallocate()
        }
    }

    /// Moves the entries to where they are without gaps, in the same block or another one. The lock is held.
    ///
    /// - Returns: How many there are.
    @inlinable
    func closeGaps(_ entries: Entries<Handler>, _ count: Int, into target: Entries<Handler>) -> Int {
        var kept = 0
        for position in 0..<count {
            guard let record = entries.records[position] else {
                if !isUnordered { (entries.handlers + position).deinitialize(count: 1) }
                continue
            }
            (target.handlers + kept).moveInitialize(from: entries.handlers + position, count: 1)
            target.records[kept] = record
            record.pointee.position = Int32(truncatingIfNeeded: kept)
            kept += 1
        }
        return kept
    }
}
