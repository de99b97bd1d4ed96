// SPDX-License-Identifier: MIT

// A variable is to the outside what its value is.

extension Var: Equatable where Value: Equatable {
    /// Whether the values are equal.
    @inlinable public static func == (one: Var, other: Var) -> Bool { one.value == other.value }
}

extension Var: Comparable where Value: Comparable {
    /// Whether the value is the smaller one.
    @inlinable public static func < (one: Var, other: Var) -> Bool { one.value < other.value }
}

/// - Note: The hash changes with the value. Do not set a variable while it stands in a set, or is a key.
extension Var: Hashable where Value: Hashable {
    /// Hashes the value.
    @inlinable public func hash(into hasher: inout Hasher) { value.hash(into: &hasher) }
}

extension Var: CustomStringConvertible {
    /// Describes the value.
    public var description: String { String(describing: value) }
}

extension Var: CustomDebugStringConvertible {
    /// Describes the value in a debugger.
    public var debugDescription: String { String(reflecting: value) }
}
