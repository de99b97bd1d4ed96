// SPDX-License-Identifier: MIT

/// Numbers by pointers. Not a dictionary: hashing is seeded, which would bring a source of randomness into the library
/// for C.
struct PointerTable {
    private var slots: [(key: UInt, value: Int)] = []
    private var count = 0

    func value(of pointer: UnsafeMutableRawPointer) -> Int? {
        guard !slots.isEmpty else { return nil }
        let slot = slots[index(of: UInt(bitPattern: pointer))]
        return slot.key == 0 ? nil : slot.value
    }

    /// - Parameter pointer: is not in the table yet.
    mutating func insert(_ pointer: UnsafeMutableRawPointer, _ value: Int) {
        if count * 2 >= slots.count { grow() }
        let key = UInt(bitPattern: pointer)
        slots[index(of: key)] = (key, value)
        count += 1
    }

    /// The value of a pointer that may be in the table.
    mutating func set(_ pointer: UnsafeMutableRawPointer, _ value: Int) {
        if self.value(of: pointer) == nil { return insert(pointer, value) }
        slots[index(of: UInt(bitPattern: pointer))].value = value
    }

    private mutating func grow() {
        let before = slots
        slots = Array(repeating: (0, 0), count: max(16, before.count * 2))
        for slot in before where slot.key != 0 { slots[index(of: slot.key)] = slot }
    }

    /// Where a key stands, or would.
    private func index(of key: UInt) -> Int {
        let mask = slots.count - 1
        // Objects lie at multiples of 16; the multiplication spreads what differs.
        let spread = UInt64(truncatingIfNeeded: key >> 4) &* 0x9E37_79B9_7F4A_7C15
        var index = Int(truncatingIfNeeded: spread >> 20) & mask
        while slots[index].key != 0, slots[index].key != key { index = (index + 1) & mask }
        return index
    }
}
