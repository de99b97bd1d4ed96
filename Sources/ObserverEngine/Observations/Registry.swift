// SPDX-License-Identifier: MIT

import CPlatform
import Synchronization

/// Finds an observation by its id, in constant time, and holds the records.
///
///     id    generation (32) | slot (26) | lock (6)
///
/// Each lock guards one shelf of records, in chunks that never move. A slot counts its generations,
/// so an id is never used again; one that has counted to the end is given up. A shelf that runs
/// empty frees its chunks but one. Call everything here with the lock of that index held.
@usableFromInline
enum Registry {
    @usableFromInline static let lockBits: UInt64 = 6
    static let slotBits: UInt64 = 26
    static let chunkSize = 32
    static let lastGeneration: UInt64 = 0xFFFF_FFFF

    @usableFromInline
    static func lockIndex(_ id: ObservationID) -> UInt32 {
        UInt32(truncatingIfNeeded: id.rawValue) & (UInt32(PLATFORM_LOCKS) - 1)
    }

    /// A record for a new observation of `core`.
    @usableFromInline
    static func take(_ index: UInt32, core: AnyCore) -> RecordPointer {
        let shelf = platform_shelf_at(index)!
        if shelf.pointee.first_free == 0 { addChunk(shelf) }
        let slot = UInt64(shelf.pointee.first_free - 1)
        let record = self.record(shelf, slot)
        shelf.pointee.first_free = UInt32(bitPattern: record.pointee.position)
        shelf.pointee.used += 1
        record.pointee.id = record.pointee.serial << (lockBits + slotBits) | slot << lockBits | UInt64(index)
        record.pointee.core = .passUnretained(core)
        record.pointee.pins = 0
        record.pointee.marks.store(0, ordering: .relaxed)
        record.pointee.phase.store(Record.receiving, ordering: .relaxed)
        return record
    }

    /// The record of an observation that has not been cleaned up.
    @usableFromInline
    static func find(_ id: ObservationID) -> RecordPointer? {
        let shelf = platform_shelf_at(lockIndex(id))!
        let slot = id.rawValue >> lockBits & (1 << slotBits - 1)
        guard id.rawValue != 0, slot < UInt64(shelf.pointee.chunk_count) * UInt64(chunkSize) else { return nil }
        let record = self.record(shelf, slot)
        return record.pointee.id == id.rawValue ? record : nil
    }

    @usableFromInline
    static func free(_ record: RecordPointer) {
        let id = ObservationID(rawValue: record.pointee.id)
        let shelf = platform_shelf_at(lockIndex(id))!
        let slot = id.rawValue >> lockBits & (1 << slotBits - 1)
        let generation = id.rawValue >> (lockBits + slotBits) + 1
        record.pointee.id = 0
        record.pointee.core = nil
        record.pointee.serial = generation
        if generation <= lastGeneration {
            record.pointee.position = Int32(bitPattern: shelf.pointee.first_free)
            shelf.pointee.first_free = UInt32(slot) + 1
        }
        shelf.pointee.used -= 1
        if shelf.pointee.used == 0, shelf.pointee.chunk_count > 1 { shrink(shelf, to: 1) }
    }

    private static func record(_ shelf: UnsafeMutablePointer<platform_shelf>, _ slot: UInt64) -> RecordPointer {
        let chunk = shelf.pointee.chunks[Int(slot) / chunkSize]!
        return chunk.assumingMemoryBound(to: Record.self) + Int(slot) % chunkSize
    }

    private static func addChunk(_ shelf: UnsafeMutablePointer<platform_shelf>) {
        let count = Int(shelf.pointee.chunk_count)
        guard (count + 1) * chunkSize <= 1 << Int(slotBits) else {
            fail("more observations at once than there are ids")
        }
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
        let chunk = RecordPointer.allocate(capacity: chunkSize)
        for offset in (0..<chunkSize).reversed() {
            (chunk + offset).initialize(
                to: Record(
                    generation: max(1, UInt64(shelf.pointee.generation)),
                    nextFree: Int32(bitPattern: shelf.pointee.first_free)))
            shelf.pointee.first_free = UInt32(count * chunkSize + offset) + 1
        }
        shelf.pointee.chunks[count] = UnsafeMutableRawPointer(chunk)
        shelf.pointee.chunk_count += 1
    }

    /// Frees all chunks but the first, or all. New ones begin beyond every generation of the old ones.
    private static func shrink(_ shelf: UnsafeMutablePointer<platform_shelf>, to kept: Int) {
        var highest = UInt64(shelf.pointee.generation)
        for slot in 0..<UInt64(shelf.pointee.chunk_count) * UInt64(chunkSize) {
            highest = max(highest, record(shelf, slot).pointee.serial)
        }
        guard highest < lastGeneration else { return }
        shelf.pointee.generation = UInt32(highest)
        for chunk in kept..<Int(shelf.pointee.chunk_count) {
            let records = shelf.pointee.chunks[chunk]!.assumingMemoryBound(to: Record.self)
            records.deallocate()
        }
        shelf.pointee.chunk_count = UInt32(kept)
        shelf.pointee.first_free = 0
        if kept == 0 { return }
        for slot in (0..<chunkSize).reversed() {
            let first = record(shelf, UInt64(slot))
            guard first.pointee.serial <= lastGeneration else { continue }
            first.pointee.position = Int32(bitPattern: shelf.pointee.first_free)
            shelf.pointee.first_free = UInt32(slot) + 1
        }
    }

    /// Frees the shelves of which nothing is used, when the library is unloaded.
    private static func empty() {
        for index in 0..<UInt32(PLATFORM_LOCKS) {
            platform_lock_acquire(index)
            let shelf = platform_shelf_at(index)!
            if shelf.pointee.used == 0, shelf.pointee.chunk_count > 0 {
                shrink(shelf, to: 0)
                if shelf.pointee.chunk_count == 0 {
                    shelf.pointee.chunks.deallocate()
                    shelf.pointee.chunks = nil
                }
            }
            platform_lock_release(index)
        }
    }
}
