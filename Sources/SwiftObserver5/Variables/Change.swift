// SPDX-License-Identifier: MIT

@_exported import struct ObserverEngine.Update

/// The message of a variable: its value before, `old`, and after, `new`.
public typealias Change = Update

extension Change where Value: Equatable {
    /// Whether the two values differ. They do not if the message was sent by hand.
    @inlinable public var valueChanged: Bool { old != new }
}

extension Change {
    /// A change from nothing, where values are not optional: the new value stands for the old one, too. For asking a
    /// filter, as in `mapping.filter?(Change(nil, "text"))`.
    @_disfavoredOverload @inlinable
    public init(_ old: Value?, _ new: Value) { self.init(old ?? new, new) }
}
