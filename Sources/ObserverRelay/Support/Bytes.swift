// SPDX-License-Identifier: MIT

/// Text as UTF-8. `String` would bring Unicode tables into the library for C.
public typealias Bytes = [UInt8]

extension Array where Element == UInt8 {
    @inlinable
    public init(_ text: StaticString) { self = text.withUTF8Buffer { Array($0) } }

    mutating func add(_ text: StaticString) { text.withUTF8Buffer { append(contentsOf: $0) } }

    mutating func add(_ number: UInt64) {
        if number >= 10 { add(number / 10) }
        append(UInt8(ascii: "0") + UInt8(number % 10))
    }

    mutating func add(_ number: Int64) {
        if number < 0 { append(UInt8(ascii: "-")) }
        add(number.magnitude)
    }

    /// Followed by a zero, for C.
    var terminated: Bytes {
        // Not `+`, which 6.0 does not specialize.
        var terminated = self
        terminated.append(0)
        return terminated
    }

    /// This, a character, and another text.
    func joined(by separator: UInt8, to other: Bytes) -> Bytes {
        var joined = self
        joined.append(separator)
        joined.append(contentsOf: other)
        return joined
    }

    /// A text that ends with a zero, without it.
    init(copying text: UnsafePointer<CChar>) {
        var count = 0
        while text[count] != 0 { count += 1 }
        // Not withMemoryRebound(), which 6.0 does not specialize.
        let bytes = UnsafeRawPointer(text).assumingMemoryBound(to: UInt8.self)
        self = Array(UnsafeBufferPointer(start: bytes, count: count))
    }

    /// Calls `body` with a text that ends with a zero, as C has it.
    func withCText<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
        withUnsafeBytes { body($0.baseAddress!.assumingMemoryBound(to: CChar.self)) }
    }
}
