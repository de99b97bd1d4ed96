// SPDX-License-Identifier: MIT

// A variable is to the outside what its value is. It is coded as {"storedValue": ...}, with null for nil.

extension Var: Equatable where Value: Equatable {
    /// Whether the values are equal.
    @inlinable public static func == (one: Var, other: Var) -> Bool { one.value == other.value }
}

extension Var: Comparable where Value: Comparable {
    /// Whether the value is the smaller one.
    @inlinable public static func < (one: Var, other: Var) -> Bool { one.value < other.value }
}

extension Var: CustomDebugStringConvertible {
    /// Describes the value in a debugger.
    public var debugDescription: String { String(reflecting: value) }
}

private enum Keys: String, CodingKey { case storedValue }

extension Var: Encodable where Value: Encodable {
    /// Encodes the value as `{"storedValue": ...}`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Keys.self)
        try container.encode(value, forKey: .storedValue)
    }
}

extension Var: Decodable where Value: Decodable {
    /// Decodes the value of `{"storedValue": ...}`.
    public convenience init(from decoder: any Decoder) throws {
        self.init(try decoder.container(keyedBy: Keys.self).decode(Value.self, forKey: .storedValue))
    }
}
