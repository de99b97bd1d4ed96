// SPDX-License-Identifier: MIT

/// The message of a variable: its value before and after. The two can be equal, when the present
/// state is sent without a change.
@frozen
public struct Update<Value> {
    public let old: Value
    public let new: Value

    @inlinable
    public init(_ old: Value, _ new: Value) {
        self.old = old
        self.new = new
    }
}

extension Update where Value: ExpressibleByNilLiteral {
    /// From `nil` to `nil`.
    @inlinable public init() { self.init(nil, nil) }
}

extension Update: Equatable where Value: Equatable {
    /// Whether this update changes anything.
    @inlinable public var isChange: Bool { old != new }
}

extension Update: Sendable where Value: Sendable {}

#if !hasFeature(Embedded)
    extension Update: AnyUpdate {
        public var texts: (old: String, new: String) { (String(describing: old), String(describing: new)) }
    }

    extension Update: Hashable where Value: Hashable {}
#endif
