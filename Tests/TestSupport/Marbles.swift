// SPDX-License-Identifier: MIT

/// A line of a marble diagram: texts, and the columns in which they begin.
///
///     sent      1 2 3 4
///     received    2   4
///
/// What is received stands in the column of the message that caused it. What follows one message all
/// at once is joined by `+`. A lone dot is a place where nothing is.
public struct Marbles: Equatable, Sendable, CustomStringConvertible {
    public struct Marble: Equatable, Sendable {
        public let column: Int
        public var text: String

        public init(column: Int, text: String) {
            self.column = column
            self.text = text
        }
    }

    public var marbles: [Marble] = []

    public init() {}

    public init(_ line: String) {
        var column = 0
        for word in line.split(separator: " ", omittingEmptySubsequences: false) {
            if !word.isEmpty, word != "." { marbles.append(Marble(column: column, text: String(word))) }
            column += word.count + 1
        }
    }

    public mutating func add(_ text: String, at column: Int) {
        if let last = marbles.indices.last, marbles[last].column == column {
            marbles[last].text += "+" + text
        } else {
            marbles.append(Marble(column: column, text: text))
        }
    }

    public var description: String {
        var line = ""
        for marble in marbles {
            line += String(repeating: " ", count: max(0, marble.column - line.count)) + marble.text
        }
        return line
    }
}
