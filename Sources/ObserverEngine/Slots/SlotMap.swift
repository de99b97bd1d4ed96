// SPDX-License-Identifier: MIT

import CPlatform
import Synchronization

/// Finds an observation by its id, in constant time, and holds the slots.
///
///     id    generation (32) | slot (26) | lock (6)
///
/// Each lock guards one shard of slots, in chunks that never move. A slot counts its generations,
/// so an id is never used again; one that has counted to the end is given up. Of the chunks in which
/// nothing is used, one stays and the others are freed: a burst leaves eight bytes for each chunk it
/// took, until the shard runs empty. Call everything here with the lock of that index held.
@usableFromInline
enum SlotMap {
    @usableFromInline static let lockBits: UInt64 = 6
    static let placeBits: UInt64 = 26
    private static var mostChunks: UInt32 { 1 << UInt32(placeBits) / Chunk.size }

    @usableFromInline
    static func lockIndex(_ id: ObservationID) -> UInt32 {
        UInt32(truncatingIfNeeded: id.rawValue) & (UInt32(PLATFORM_LOCKS) - 1)
    }

    /// A slot for a new observation of `core`.
    @usableFromInline
    static func take(_ index: UInt32, core: UnsafeMutableRawPointer) -> SlotPointer {
        let shard = platform_shard_at(index).unsafelyUnwrapped
        guard let base = shard.pointee.free_list else { return takeFromNewChunk(index, core) }
        let chunk = Chunk(base: base)
        let free = chunk.header.pointee.free
        let offset = UInt32(truncatingIfNeeded: free.trailingZeroBitCount)
        let slot = chunk.slots + Int(offset)
        let place = UInt64(chunk.header.pointee.number &* Chunk.size &+ offset)
        slot.pointee.id = UInt64(slot.pointee.extra) << (lockBits + placeBits) | place << lockBits | UInt64(index)
        slot.pointee.coreAddress = core
        slot.pointee.pins = 0
        slot.pointee.marks.store(0, ordering: .relaxed)
        slot.pointee.phase.store(Slot.receiving, ordering: .relaxed)
        shard.pointee.used &+= 1
        let left = free & (free &- 1)
        chunk.header.pointee.free = left
        // Calls that come last cost nothing where they are not made.
        return free == Chunk.allFree || left == 0 ? noteTaken(shard, chunk, slot) : slot
    }

    /// The slot of an observation that has not been cleaned up.
    @usableFromInline
    static func find(_ id: ObservationID) -> SlotPointer? {
        let shard = platform_shard_at(lockIndex(id)).unsafelyUnwrapped
        let place = place(id)
        guard id.rawValue != 0, place / Chunk.size < shard.pointee.chunk_count else { return nil }
        let base = shard.pointee.chunks[Int(place / Chunk.size)].unsafelyUnwrapped
        guard !isFreeNumber(base) else { return nil }
        let slot = Chunk(base: base).slots + Int(place % Chunk.size)
        return slot.pointee.id == id.rawValue ? slot : nil
    }

    /// Each slot in use.
    static func forEach(_ index: UInt32, _ body: (SlotPointer) -> Void) {
        let shard = platform_shard_at(index).unsafelyUnwrapped
        for number in 0..<Int(shard.pointee.chunk_count) {
            guard let base = shard.pointee.chunks[number], !isFreeNumber(base) else { continue }
            let slots = Chunk(base: base).slots
            for offset in 0..<Int(Chunk.size) where slots[offset].id != 0 { body(slots + offset) }
        }
    }

    @usableFromInline
    static func free(_ slot: SlotPointer) {
        let id = ObservationID(rawValue: slot.pointee.id)
        let shard = platform_shard_at(lockIndex(id)).unsafelyUnwrapped
        let generation = UInt32(truncatingIfNeeded: id.rawValue >> (lockBits + placeBits)) &+ 1
        slot.pointee.id = 0
        slot.pointee.coreAddress = nil
        slot.pointee.extra = UInt(generation)
        shard.pointee.used &-= 1
        // Given up: all generations have been.
        guard generation != 0 else { return }
        let chunk = Chunk(base: shard.pointee.chunks[Int(place(id) / Chunk.size)].unsafelyUnwrapped)
        let before = chunk.header.pointee.free
        let now = before | 1 << (place(id) % Chunk.size)
        chunk.header.pointee.free = now
        if before == 0 || now == Chunk.allFree { noteFreed(shard, chunk) }
    }

    private static func place(_ id: ObservationID) -> UInt32 {
        UInt32(truncatingIfNeeded: id.rawValue >> lockBits) & (1 << UInt32(placeBits) - 1)
    }
}

/// Some slots, and which of them are free.
///
///     free number | next previous | slot slot slot ...
private struct Chunk {
    let base: UnsafeMutableRawPointer

    struct Header {
        /// A bit for each slot.
        var free: UInt32
        /// Its place in the directory.
        let number: UInt32
        /// Of the chunks with room.
        var next: UnsafeMutableRawPointer?
        var previous: UnsafeMutableRawPointer?
    }

    static var size: UInt32 { 32 }
    static var allFree: UInt32 { .max }

    var header: UnsafeMutablePointer<Header> { base.assumingMemoryBound(to: Header.self) }
    var slots: SlotPointer { (base + MemoryLayout<Header>.size).assumingMemoryBound(to: Slot.self) }

    static func allocate(_ number: UInt32, generation: UInt32) -> Chunk {
        let bytes = MemoryLayout<Header>.size + Int(size) * MemoryLayout<Slot>.stride
        let chunk = Chunk(base: .allocate(byteCount: bytes, alignment: 16))
        chunk.base.initializeMemory(as: Header.self, to: Header(free: allFree, number: number))
        for offset in 0..<Int(size) { (chunk.slots + offset).initialize(to: Slot(generation: generation)) }
        return chunk
    }
}

// What few observations lead to: chunks come and go.
extension SlotMap {
    @inline(never)
    private static func takeFromNewChunk(_ index: UInt32, _ core: UnsafeMutableRawPointer) -> SlotPointer {
        addChunk(platform_shard_at(index))
        return take(index, core: core)
    }

    /// Notes that the first slot of a chunk has been taken, or its last free one.
    @inline(never)
    private static func noteTaken(
        _ shard: UnsafeMutablePointer<platform_shard>, _ chunk: Chunk, _ slot: SlotPointer
    ) -> SlotPointer {
        if chunk.header.pointee.free == 0 { unlink(shard, chunk) } else { shard.pointee.spare = nil }
        return slot
    }

    /// Notes that a chunk has room again, or that all its slots are free: then it becomes the spare one, or is freed if
    /// there is a spare one already.
    @inline(never)
    private static func noteFreed(_ shard: UnsafeMutablePointer<platform_shard>, _ chunk: Chunk) {
        guard chunk.header.pointee.free == Chunk.allFree else { return link(shard, chunk) }
        if shard.pointee.used == 0, shard.pointee.chunk_count > 1 { return empty(shard) }
        if shard.pointee.spare == nil {
            shard.pointee.spare = chunk.base
            return
        }
        unlink(shard, chunk)
        let number = chunk.header.pointee.number
        deallocate(shard, chunk)
        shard.pointee.chunks[Int(number)] = freeNumber(shard.pointee.first_free_number)
        shard.pointee.first_free_number = number + 1
    }

    /// Puts a chunk at the head of those with room.
    private static func link(_ shard: UnsafeMutablePointer<platform_shard>, _ chunk: Chunk) {
        let next = shard.pointee.free_list
        chunk.header.pointee.next = next
        chunk.header.pointee.previous = nil
        if let next { Chunk(base: next).header.pointee.previous = chunk.base }
        shard.pointee.free_list = chunk.base
    }

    /// Takes a chunk out of those with room.
    private static func unlink(_ shard: UnsafeMutablePointer<platform_shard>, _ chunk: Chunk) {
        let next = chunk.header.pointee.next, previous = chunk.header.pointee.previous
        if let next { Chunk(base: next).header.pointee.previous = previous }
        if let previous {
            Chunk(base: previous).header.pointee.next = next
        } else {
            shard.pointee.free_list = next
        }
    }

    /// Frees a chunk. New ones begin beyond each of its generations.
    private static func deallocate(_ shard: UnsafeMutablePointer<platform_shard>, _ chunk: Chunk) {
        for offset in 0..<Int(Chunk.size) {
            let generation = UInt32(truncatingIfNeeded: chunk.slots[offset].extra)
            shard.pointee.generation = max(shard.pointee.generation, generation)
        }
        chunk.base.deallocate()
    }

    // In place of a chunk that was freed: the number + 1 of the next such place, marked.
    private static func freeNumber(_ next: UInt32) -> UnsafeMutableRawPointer? {
        UnsafeMutableRawPointer(bitPattern: UInt(next) << 1 | 1)
    }

    private static func isFreeNumber(_ base: UnsafeMutableRawPointer) -> Bool { UInt(bitPattern: base) & 1 != 0 }

    private static func addChunk(_ shard: UnsafeMutablePointer<platform_shard>) {
        let number: UInt32
        if shard.pointee.first_free_number != 0 {
            number = shard.pointee.first_free_number - 1
            shard.pointee.first_free_number = UInt32(
                truncatingIfNeeded: UInt(bitPattern: shard.pointee.chunks[Int(number)]) >> 1)
        } else {
            number = shard.pointee.chunk_count
            addPlace(shard)
        }
        let chunk = Chunk.allocate(number, generation: max(1, shard.pointee.generation))
        shard.pointee.chunks[Int(number)] = chunk.base
        shard.pointee.spare = chunk.base
        link(shard, chunk)
    }

    /// Makes room in the directory of the chunks.
    private static func addPlace(_ shard: UnsafeMutablePointer<platform_shard>) {
        let count = Int(shard.pointee.chunk_count)
        guard shard.pointee.chunk_count < mostChunks else { fail("more observations at once than there are ids") }
        // The directory doubles: it has room where the count is no power of two.
        if count & (count - 1) == 0 {
            let larger = UnsafeMutablePointer<UnsafeMutableRawPointer?>.allocate(capacity: max(1, count * 2))
            if let chunks = shard.pointee.chunks {
                larger.moveInitialize(from: chunks, count: count)
                chunks.deallocate()
            }
            shard.pointee.chunks = larger
        }
        if count == 0 { platform_when_unloading { SlotMap.empty() } }
        shard.pointee.chunk_count += 1
    }

    /// Frees all chunks of a shard without used slots, and their directory. They stay if a slot has been given up, or
    /// its generations would begin again.
    private static func empty(_ shard: UnsafeMutablePointer<platform_shard>, isUnloading: Bool = false) {
        for number in 0..<Int(shard.pointee.chunk_count) {
            guard let base = shard.pointee.chunks[number], !isFreeNumber(base) else { continue }
            guard isUnloading || Chunk(base: base).header.pointee.free == Chunk.allFree else { return }
        }
        for number in 0..<Int(shard.pointee.chunk_count) {
            guard let base = shard.pointee.chunks[number], !isFreeNumber(base) else { continue }
            deallocate(shard, Chunk(base: base))
        }
        shard.pointee.chunks.deallocate()
        shard.pointee.chunks = nil
        shard.pointee.chunk_count = 0
        shard.pointee.free_list = nil
        shard.pointee.first_free_number = 0
        shard.pointee.spare = nil
    }

    /// Frees the shards without used slots when the library is unloaded.
    private static func empty() {
        for index in 0..<UInt32(PLATFORM_LOCKS) {
            platform_lock_acquire(index)
            let shard = platform_shard_at(index)!
            if shard.pointee.used == 0, shard.pointee.chunk_count > 0 { empty(shard, isUnloading: true) }
            platform_lock_release(index)
        }
    }
}
