// SPDX-License-Identifier: MIT

// An observed property is coded as the property would be without the wrapper: `{"hunger": 3}`, and no key for `nil`.

extension Observed: Encodable where Value: Encodable {
    /// Encodes the value.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(projectedValue.value)
    }
}

extension Observed: Decodable where Value: Decodable {
    private enum Keys: String, CodingKey { case storedValue }

    /// Decodes a value, or a variable: `3`, or `{"storedValue": 3}`.
    public init(from decoder: any Decoder) throws {
        if let container = try? decoder.container(keyedBy: Keys.self), container.contains(.storedValue),
            let value = try? container.decode(Value.self, forKey: .storedValue)
        {
            self.init(wrappedValue: value)
        } else {
            self.init(wrappedValue: try decoder.singleValueContainer().decode(Value.self))
        }
    }
}

// The compiler lets a type with such properties call these, which it finds before those of all types.

extension KeyedEncodingContainer {
    /// Encodes an optional property, unless it is `nil`.
    public mutating func encode<Wrapped: Encodable>(_ property: Observed<Wrapped?>, forKey key: Key) throws {
        try encodeIfPresent(property.projectedValue.value, forKey: key)
    }
}

extension KeyedDecodingContainer {
    /// Decodes an optional property. It is `nil` where the key is missing.
    public func decode<Wrapped: Decodable>(
        _ type: Observed<Wrapped?>.Type, forKey key: Key
    ) throws -> Observed<Wrapped?> {
        try decodeIfPresent(type, forKey: key) ?? Observed(wrappedValue: nil)
    }
}
