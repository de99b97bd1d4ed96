// SPDX-License-Identifier: MIT

import CPlatform
import Synchronization

/// Finds an observation by its id, in constant time, and holds the records.
///
///     id    generation (32) | slot (26) | lock (6)
///
/// Each lock guards one shelf of records, in chunks that never move. A slot counts its generations,
/// so an id is never used again; one that has counted to the end is given up. Of the chunks in which
/// nothing is used, one stays and the others are freed: a burst leaves eight bytes for each chunk it
/// took, until the shelf runs empty. Call everything here with the lock of that index held.
@usableFromInline
enum Registry {
    @usableFromInline static let lockBits: UInt64 = 6
    static let slotBits: UInt64 = 26
    private static var mostChunks: UInt32 { 1 << UInt32(slotBits) / Chunk.size }

    @usableFromInline
    static func lockIndex(_ id: ObservationID) -> UInt32 {
        UInt32(truncatingIfNeeded: id.rawValue) & (UInt32(PLATFORM_LOCKS) - 1)
    }

    /// A record for a new observation of `core`.
    @usableFromInline
    static func take(_ index: UInt32, core: AnyCore) -> RecordPointer {
        let shelf = platform_shelf_at(index).unsafelyUnwrapped
        guard let base = shelf.pointee.with_room else { return takeFromNewChunk(index, core) }
        let chunk = Chunk(base: base)
        let free = chunk.header.pointee.free
        let offset = UInt32(truncatingIfNeeded: free.trailingZeroBitCount)
        let record = chunk.records + Int(offset)
        let slot = UInt64(chunk.header.pointee.number &* Chunk.size &+ offset)
        record.pointee.id = UInt64(record.pointee.extra) << (lockBits + slotBits) | slot << lockBits | UInt64(index)
        record.pointee.core = .passUnretained(core)
        record.pointee.pins = 0
        record.pointee.marks.store(0, ordering: .relaxed)
        record.pointee.phase.store(Record.receiving, ordering: .relaxed)
        shelf.pointee.used &+= 1
        let left = free & (free &- 1)
        chunk.header.pointee.free = left
        // Calls that come last cost nothing where they are not made.
        return free == Chunk.allFree || left == 0 ? noteTaken(shelf, chunk, record) : record
    }

    /// The record of an observation that has not been cleaned up.
    @usableFromInline
    static func find(_ id: ObservationID) -> RecordPointer? {
        let shelf = platform_shelf_at(lockIndex(id)).unsafelyUnwrapped
        let slot = slot(id)
        guard id.rawValue != 0, slot / Chunk.size < shelf.pointee.chunk_count else { return nil }
        let base = shelf.pointee.chunks[Int(slot / Chunk.size)].unsafelyUnwrapped
        guard !isHole(base) else { return nil }
        let record = Chunk(base: base).records + Int(slot % Chunk.size)
        return record.pointee.id == id.rawValue ? record : nil
    }

    @usableFromInline
    static func free(_ record: RecordPointer) {
        let id = ObservationID(rawValue: record.pointee.id)
        let shelf = platform_shelf_at(lockIndex(id)).unsafelyUnwrapped
        let generation = UInt32(truncatingIfNeeded: id.rawValue >> (lockBits + slotBits)) &+ 1
        record.pointee.id = 0
        record.pointee.core = nil
        record.pointee.extra = UInt(generation)
        shelf.pointee.used &-= 1
        // Given up: all generations have been.
        guard generation != 0 else { return }
        let chunk = Chunk(base: shelf.pointee.chunks[Int(slot(id) / Chunk.size)].unsafelyUnwrapped)
        let before = chunk.header.pointee.free
        let now = before | 1 << (slot(id) % Chunk.size)
        chunk.header.pointee.free = now
        if before == 0 || now == Chunk.allFree { noteFreed(shelf, chunk) }
    }

    private static func slot(_ id: ObservationID) -> UInt32 {
        UInt32(truncatingIfNeeded: id.rawValue >> lockBits) & (1 << UInt32(slotBits) - 1)
    }
}

/// Some records, and which of them are free.
///
///     free number | next previous | record record record ...
private struct Chunk {
    let base: UnsafeMutableRawPointer

    struct Header {
        /// A bit for each record.
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
    var records: RecordPointer { (base + MemoryLayout<Header>.size).assumingMemoryBound(to: Record.self) }

    static func allocate(_ number: UInt32, generation: UInt32) -> Chunk {
        let bytes = MemoryLayout<Header>.size + Int(size) * MemoryLayout<Record>.stride
        let chunk = Chunk(base: .allocate(byteCount: bytes, alignment: 16))
        chunk.base.initializeMemory(as: Header.self, to: Header(free: allFree, number: number))
        for offset in 0..<Int(size) { (chunk.records + offset).initialize(to: Record(generation: generation)) }
        return chunk
    }
}

// What few observations lead to: chunks come and go.
extension Registry {
    @inline(never)
    private static func takeFromNewChunk(_ index: UInt32, _ core: AnyCore) -> RecordPointer {
        addChunk(platform_shelf_at(index))
        return take(index, core: core)
    }

    /// Notes that the first record of a chunk has been taken, or its last free one.
    @inline(never)
    private static func noteTaken(
        _ shelf: UnsafeMutablePointer<platform_shelf>, _ chunk: Chunk, _ record: RecordPointer
    ) -> RecordPointer {
        if chunk.header.pointee.free == 0 { unlink(shelf, chunk) } else { shelf.pointee.spare = nil }
        return record
    }

    /// Notes that a chunk has room again, or that all its records are free: then it becomes the spare one, or is freed if
    /// there is a spare one already.
    @inline(never)
    private static func noteFreed(_ shelf: UnsafeMutablePointer<platform_shelf>, _ chunk: Chunk) {
        guard chunk.header.pointee.free == Chunk.allFree else { return link(shelf, chunk) }
        if shelf.pointee.used == 0, shelf.pointee.chunk_count > 1 { return empty(shelf) }
        if shelf.pointee.spare == nil {
            shelf.pointee.spare = chunk.base
            return
        }
        unlink(shelf, chunk)
        let number = chunk.header.pointee.number
        deallocate(shelf, chunk)
        shelf.pointee.chunks[Int(number)] = hole(shelf.pointee.first_hole)
        shelf.pointee.first_hole = number + 1
    }

    /// Puts a chunk at the head of those with room.
    private static func link(_ shelf: UnsafeMutablePointer<platform_shelf>, _ chunk: Chunk) {
        let next = shelf.pointee.with_room
        chunk.header.pointee.next = next
        chunk.header.pointee.previous = nil
        if let next { Chunk(base: next).header.pointee.previous = chunk.base }
        shelf.pointee.with_room = chunk.base
    }

    /// Takes a chunk out of those with room.
    private static func unlink(_ shelf: UnsafeMutablePointer<platform_shelf>, _ chunk: Chunk) {
        let next = chunk.header.pointee.next, previous = chunk.header.pointee.previous
        if let next { Chunk(base: next).header.pointee.previous = previous }
        if let previous {
            Chunk(base: previous).header.pointee.next = next
        } else {
            shelf.pointee.with_room = next
        }
    }

    /// Frees a chunk. New ones begin beyond each of its generations.
    private static func deallocate(_ shelf: UnsafeMutablePointer<platform_shelf>, _ chunk: Chunk) {
        for offset in 0..<Int(Chunk.size) {
            let generation = UInt32(truncatingIfNeeded: chunk.records[offset].extra)
            shelf.pointee.generation = max(shelf.pointee.generation, generation)
        }
        chunk.base.deallocate()
    }

    // In place of a chunk that was freed: the number + 1 of the next such place, marked.
    private static func hole(_ next: UInt32) -> UnsafeMutableRawPointer? {
        UnsafeMutableRawPointer(bitPattern: UInt(next) << 1 | 1)
    }

    private static func isHole(_ base: UnsafeMutableRawPointer) -> Bool { UInt(bitPattern: base) & 1 != 0 }

    private static func addChunk(_ shelf: UnsafeMutablePointer<platform_shelf>) {
        let number: UInt32
        if shelf.pointee.first_hole != 0 {
            number = shelf.pointee.first_hole - 1
            shelf.pointee.first_hole = UInt32(
                truncatingIfNeeded: UInt(bitPattern: shelf.pointee.chunks[Int(number)]) >> 1)
        } else {
            number = shelf.pointee.chunk_count
            addPlace(shelf)
        }
        let chunk = Chunk.allocate(number, generation: max(1, shelf.pointee.generation))
        shelf.pointee.chunks[Int(number)] = chunk.base
        shelf.pointee.spare = chunk.base
        link(shelf, chunk)
    }

    /// Makes room in the directory of the chunks.
    private static func addPlace(_ shelf: UnsafeMutablePointer<platform_shelf>) {
        let count = Int(shelf.pointee.chunk_count)
        guard shelf.pointee.chunk_count < mostChunks else { fail("more observations at once than there are ids") }
        // The directory doubles: it has room where the count is no power of two.
        if count & (count - 1) == 0 {
            let larger = UnsafeMutablePointer<UnsafeMutableRawPointer?>.allocate(capacity: max(1, count * 2))
            if let chunks = shelf.pointee.chunks {
                larger.moveInitialize(from: chunks, count: count)
                chunks.deallocate()
            }
            shelf.pointee.chunks = larger
        }
        if count == 0 { platform_when_unloading { Registry.empty() } }
        shelf.pointee.chunk_count += 1
    }

    /// Frees all chunks of a shelf without used records, and their directory. They stay if a slot has been given up, or its
    /// generations would begin again.
    private static func empty(_ shelf: UnsafeMutablePointer<platform_shelf>, isUnloading: Bool = false) {
        for number in 0..<Int(shelf.pointee.chunk_count) {
            guard let base = shelf.pointee.chunks[number], !isHole(base) else { continue }
            guard isUnloading || Chunk(base: base).header.pointee.free == Chunk.allFree else { return }
        }
        for number in 0..<Int(shelf.pointee.chunk_count) {
            guard let base = shelf.pointee.chunks[number], !isHole(base) else { continue }
            deallocate(shelf, Chunk(base: base))
        }
        shelf.pointee.chunks.deallocate()
        shelf.pointee.chunks = nil
        shelf.pointee.chunk_count = 0
        shelf.pointee.with_room = nil
        shelf.pointee.first_hole = 0
        shelf.pointee.spare = nil
    }

    /// Frees the shelves without used records when the library is unloaded.
    private static func empty() {
        for index in 0..<UInt32(PLATFORM_LOCKS) {
            platform_lock_acquire(index)
            let shelf = platform_shelf_at(index)!
            if shelf.pointee.used == 0, shelf.pointee.chunk_count > 0 { empty(shelf, isUnloading: true) }
            platform_lock_release(index)
        }
    }
}
