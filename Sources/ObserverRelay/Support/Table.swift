// SPDX-License-Identifier: MIT

import CRelay

/// Finds what a topic stands for, with or without the zero at its end, so that one copy of it is enough. Embedded Swift's `Dictionary` would take a hash that needs the machine's chance.
struct Table<Entry> {
    private var keys: [Bytes] = []
    private var entries: [Entry?] = []
    private var free: [Int32] = []
    /// For each hash the index of its key + 1; 0: none, -1: none any more. Its size is a power of two.
    private var slots = [Int32](repeating: 0, count: 16)
    private var used = 0

    private(set) var count = 0

    /// All that stand in it, in no order.
    var all: [Entry] { entries.compactMap { $0 } }

    var keysAndEntries: [(Bytes, Entry)] {
        var pairs: [(Bytes, Entry)] = []
        for (index, entry) in entries.enumerated() { if let entry { pairs.append((keys[index], entry)) } }
        return pairs
    }

    subscript(topic: UnsafeRawBufferPointer) -> Entry? {
        guard let slot = find(topic) else { return nil }
        return entries[Int(slots[slot] - 1)]
    }

    subscript(topic: Bytes) -> Entry? { topic.withUnsafeBytes { self[$0] } }

    /// The entry of a topic that has none yet.
    mutating func insert(_ entry: Entry, at topic: Bytes) {
        if (used + 1) * 4 > slots.count * 3 { grow() }
        let index: Int32
        if let reused = free.popLast() {
            index = reused
            keys[Int(index)] = topic
            entries[Int(index)] = entry
        } else {
            index = Int32(keys.count)
            keys.append(topic)
            entries.append(entry)
        }
        place(index)
        count += 1
    }

    /// Hands out what stood there, for its last reference may be this one.
    mutating func remove(_ topic: Bytes) -> Entry? {
        guard let slot = topic.withUnsafeBytes({ find($0) }) else { return nil }
        let index = slots[slot] - 1
        slots[slot] = -1
        let entry = entries[Int(index)]
        entries[Int(index)] = nil
        keys[Int(index)] = []
        free.append(index)
        count -= 1
        return entry
    }

    private func find(_ topic: UnsafeRawBufferPointer) -> Int? {
        let topic = unterminated(topic)
        var slot = hash(topic) & (slots.count - 1)
        while slots[slot] != 0 {
            if slots[slot] > 0,
                keys[Int(slots[slot] - 1)].withUnsafeBytes({
                    let key = unterminated($0)
                    return key.count == topic.count && relay_equal(key.baseAddress, topic.baseAddress, key.count)
                })
            {
                return slot
            }
            slot = (slot + 1) & (slots.count - 1)
        }
        return nil
    }

    private mutating func place(_ index: Int32) {
        var slot = keys[Int(index)].withUnsafeBytes { hash(unterminated($0)) } & (slots.count - 1)
        while slots[slot] > 0 { slot = (slot + 1) & (slots.count - 1) }
        if slots[slot] == 0 { used += 1 }
        slots[slot] = index + 1
    }

    private mutating func grow() {
        slots = [Int32](repeating: 0, count: max(16, count * 2).roundedUpToPowerOfTwo)
        used = 0
        for index in entries.indices where entries[index] != nil { place(Int32(index)) }
    }
}

private func unterminated(_ text: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    text.last == 0 ? UnsafeRawBufferPointer(rebasing: text.dropLast()) : text
}

private func hash(_ bytes: UnsafeRawBufferPointer) -> Int {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return Int(truncatingIfNeeded: (hash ^ hash >> 32) & 0x7FFF_FFFF)
}

extension Int {
    fileprivate var roundedUpToPowerOfTwo: Int {
        var power = 1
        while power < self { power *= 2 }
        return power
    }
}
