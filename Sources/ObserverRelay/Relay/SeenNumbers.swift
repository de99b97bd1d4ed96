// SPDX-License-Identifier: MIT

/// Which numbers of a sender have come, as far as they may come again: among the last 128. A number that is far from
/// them, which only others would send, begins a new count, so that none keeps those of the sender away.
struct SeenNumbers {
    private(set) var last: UInt64 = 0
    /// A bit for each of the last ones: the lowest is that of `last`.
    private var bits: (low: UInt64, high: UInt64) = (0, 0)

    /// Notes a number, and returns whether it is new.
    mutating func insert(_ number: UInt64) -> Bool {
        if number > last, number - last < 128 {
            shift(by: number - last)
            last = number
        } else if number <= last, last - number < 128 {
            let distance = last - number
            let (isLow, bit) = (distance < 64, UInt64(1) << (distance & 63))
            if (isLow ? bits.low : bits.high) & bit != 0 { return false }
            if isLow { bits.low |= bit } else { bits.high |= bit }
            return true
        } else {
            bits = (0, 0)
            last = number
        }
        bits.low |= 1
        return true
    }

    private mutating func shift(by distance: UInt64) {
        if distance >= 64 {
            bits = (0, distance == 64 ? bits.low : bits.low << (distance - 64))
        } else {
            bits = (bits.low << distance, bits.high << distance | bits.low >> (64 - distance))
        }
    }
}
