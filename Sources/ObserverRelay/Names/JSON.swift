// SPDX-License-Identifier: MIT

/// The text of what stands in JSON under a path of names: `["nodes", "light"]`. `nil`: there is no such thing, or it is
/// no JSON. Names with escapes are not found, for those of Homie have none.
func find(_ path: ArraySlice<Bytes>, inJSON text: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
    var reader = JSONReader(text: text)
    for name in path {
        guard reader.enter(name) else { return nil }
    }
    return reader.value()
}

/// Goes through JSON without keeping any of it.
private struct JSONReader {
    let text: UnsafeRawBufferPointer
    var index = 0

    /// The character at this place, behind blanks. 0: the end.
    private mutating func next() -> UInt8 {
        while index < text.count {
            switch text[index] {
            case 9, 10, 13, 32: index += 1
            default: return text[index]
            }
        }
        return 0
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard next() == UInt8(ascii: character) else { return false }
        index += 1
        return true
    }

    /// Goes to what an object at this place has under a name.
    mutating func enter(_ name: Bytes) -> Bool {
        guard take("{") else { return false }
        while next() == UInt8(ascii: "\"") {
            guard let key = string(), take(":") else { return false }
            if key.elementsEqual(name) { return true }
            guard value() != nil, take(",") else { return false }
        }
        return false
    }

    /// What is between the quotes at this place.
    private mutating func string() -> UnsafeRawBufferPointer? {
        index += 1
        let first = index
        while index < text.count {
            switch text[index] {
            case UInt8(ascii: "\\"): index += 2
            case UInt8(ascii: "\""):
                index += 1
                return UnsafeRawBufferPointer(rebasing: text[first..<(index - 1)])
            default: index += 1
            }
        }
        return nil
    }

    /// Goes behind the value at this place: a number or a word, a text, or what is between brackets, however deep.
    mutating func value() -> UnsafeRawBufferPointer? {
        var depth = 0
        _ = next()
        let first = index
        while true {
            switch next() {
            case 0: return nil
            case UInt8(ascii: "\""): if string() == nil { return nil }
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                index += 1
                continue
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if depth == 0 { return nil }
                depth -= 1
                index += 1
            case UInt8(ascii: ","), UInt8(ascii: ":"):
                if depth == 0 { return nil }
                index += 1
                continue
            default:
                word: while index < text.count {
                    switch text[index] {
                    case 0...32, UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "]"), UInt8(ascii: "}"),
                        UInt8(ascii: "\""):
                        break word
                    default: index += 1
                    }
                }
                // A character that nothing of JSON begins with.
                if index < text.count, text[index] < 32, ![9, 10, 13].contains(text[index]) { return nil }
            }
            if depth == 0 { return UnsafeRawBufferPointer(rebasing: text[first..<index]) }
        }
    }
}
