// SPDX-License-Identifier: MIT

// A variable of a string, optional or not, is a collection of the characters of its `string`.

extension Var: Sequence where Value: StringValue {
    @inlinable public func makeIterator() -> String.Iterator { string.makeIterator() }
}

extension Var: Collection where Value: StringValue {
    @inlinable public var startIndex: String.Index { string.startIndex }
    @inlinable public var endIndex: String.Index { string.endIndex }
    @inlinable public func index(after index: String.Index) -> String.Index { string.index(after: index) }
    @inlinable public subscript(position: String.Index) -> Character { string[position] }
}

extension Var: BidirectionalCollection where Value: StringValue {
    @inlinable public func index(before index: String.Index) -> String.Index { string.index(before: index) }
}

extension Var: TextOutputStream where Value: StringValue {
    /// Appends to the string, in one step: `print("text", to: &variable)`.
    @inlinable
    public func write(_ text: String) {
        update { $0 = Value(string: $0.string.appending(contentsOf: text)) }
    }
}
