// SPDX-License-Identifier: MIT

import ObserverEngine

// A variable of a string, optional or not, is a collection of the characters of its `string`.

extension Var: Sequence, Collection, BidirectionalCollection where Value: StringValue {}

extension Var: TextOutputStream where Value: StringValue {
    /// Appends to the string, in one step: `print("text", to: &variable)`.
    @inlinable
    public func write(_ text: String) {
        update { $0 = Value(string: concatenating($0.string, text)) }
    }
}
