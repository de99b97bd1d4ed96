// SPDX-License-Identifier: MIT

// A variable of a string, optional or not, is a collection of the characters of its `string`.

extension Var: Sequence where Value: StringValue {
    /// Goes through the characters that are there now.
    @inlinable public func makeIterator() -> String.Iterator { string.makeIterator() }
}

extension Var: Collection where Value: StringValue {
    /// Where the string begins.
    @inlinable public var startIndex: String.Index { string.startIndex }

    /// Where the string ends.
    @inlinable public var endIndex: String.Index { string.endIndex }

    /// The index of the next character.
    @inlinable public func index(after index: String.Index) -> String.Index { string.index(after: index) }

    /// The character at an index of the string.
    @inlinable public subscript(position: String.Index) -> Character { string[position] }
}

extension Var: BidirectionalCollection where Value: StringValue {
    /// The index of the character before.
    @inlinable public func index(before index: String.Index) -> String.Index { string.index(before: index) }
}

extension Var: TextOutputStream where Value: StringValue {
    /// Appends to the string, in one step: `print("text", to: &variable)`.
    @inlinable
    public func write(_ text: String) {
        update { $0 = Value(string: $0.string.appending(contentsOf: text)) }
    }
}
