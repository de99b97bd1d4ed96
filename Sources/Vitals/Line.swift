// SPDX-License-Identifier: MIT

/// A line, or a word of it, as it stands in a file of /proc. Swift's own conversions take signs and
/// exponents as well, so every character is looked at first.
struct Line {
    private let bytes: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }
    init(_ text: String) { bytes = Array(text.utf8)[...] }

    static func lines(of text: [UInt8]) -> [Line] {
        var lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        // The end of a line is not the beginning of another.
        if lines.last?.isEmpty == true { lines.removeLast() }
        return lines.map(Line.init)
    }

    var words: [Line] {
        bytes.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }.map(Line.init)
    }

    func begins(with text: String) -> Bool { bytes.starts(with: text.utf8) }

    static func == (line: Line, text: String) -> Bool { line.bytes.elementsEqual(text.utf8) }

    /// What stands before the last colon, and after it.
    var aroundLastColon: (before: Line, after: Line)? {
        bytes.lastIndex(of: UInt8(ascii: ":")).map { (Line(bytes[..<$0]), Line(bytes[($0 + 1)...])) }
    }

    func dropping(_ text: String) -> Line { Line(bytes.dropFirst(text.utf8.count)) }

    /// A natural number of 64 bits: digits and nothing else.
    var number: UInt64? { isDigits ? UInt64(text) : nil }

    /// Digits, or digits, a point and digits.
    var decimal: Double? {
        let parts = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).map(Line.init)
        guard parts.count <= 2, parts.allSatisfy(\.isDigits), let number = Double(text), number.isFinite else {
            return nil
        }
        return number
    }

    private var isDigits: Bool { !bytes.isEmpty && bytes.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 } }
    private var text: String { String(decoding: bytes, as: UTF8.self) }
}

/// The sum, unless it takes more than 64 bits.
func sum(_ numbers: some Sequence<UInt64>) -> UInt64? {
    var sum: UInt64 = 0
    for number in numbers {
        let (larger, overflow) = sum.addingReportingOverflow(number)
        if overflow { return nil }
        sum = larger
    }
    return sum
}
