// SPDX-License-Identifier: MIT

// A variable is coded as {"storedValue": ...}, with null for nil.

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
        let container = try decoder.container(keyedBy: Keys.self)
        self.init(try container.decode(Value.self, forKey: .storedValue))
    }
}
