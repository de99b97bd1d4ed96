// SPDX-License-Identifier: MIT

/// Whether bytes are well formed UTF-8: no overlong forms, no surrogates, nothing beyond U+10FFFF.
///
/// Without `String`, which would bring the Unicode tables into the library.
func isUTF8(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var index = 0
    while index < bytes.count {
        let lead = bytes[index]
        if lead < 0x80 {
            index += 1
            continue
        }
        let length: Int
        let second: ClosedRange<UInt8>
        switch lead {
        case 0xC2...0xDF: (length, second) = (2, 0x80...0xBF)
        case 0xE0: (length, second) = (3, 0xA0...0xBF)
        case 0xED: (length, second) = (3, 0x80...0x9F)
        case 0xE1...0xEF: (length, second) = (3, 0x80...0xBF)
        case 0xF0: (length, second) = (4, 0x90...0xBF)
        case 0xF1...0xF3: (length, second) = (4, 0x80...0xBF)
        case 0xF4: (length, second) = (4, 0x80...0x8F)
        default: return false
        }
        guard index + length <= bytes.count, second.contains(bytes[index + 1]) else { return false }
        for offset in index + 2..<max(index + 2, index + length) where bytes[offset] & 0xC0 != 0x80 { return false }
        index += length
    }
    return true
}
