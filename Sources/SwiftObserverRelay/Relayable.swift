// SPDX-License-Identifier: MIT

import ObserverRelay

/// A value that a relay takes: `Bool`, `Int`, `Double`, `String`, optionals of them, and enums that have them as raw
/// values.
///
///     enum Mode: String, Relayable { case day, night }
///     let mode: Var<Mode?> = try relay.mirror("kitchen/climate/mode")
///
/// Everything else does not cross: map it to one of these.
public protocol Relayable: Sendable {
    /// The kind that others are told the values to be.
    static var _datatype: Datatype { get }
    var _relayed: Value { get }
    init?(_relayed: Value)
}

extension Bool: Relayable {
    public static var _datatype: Datatype { .boolean }
    public var _relayed: Value { .boolean(self) }
    public init?(_relayed: Value) {
        guard case .boolean(let boolean) = _relayed else { return nil }
        self = boolean
    }
}

extension Int: Relayable {
    public static var _datatype: Datatype { .integer }
    public var _relayed: Value { .integer(Int64(self)) }
    public init?(_relayed: Value) {
        guard case .integer(let integer) = _relayed else { return nil }
        self.init(exactly: integer)
    }
}

extension Double: Relayable {
    public static var _datatype: Datatype { .float }
    public var _relayed: Value { .float(self) }
    public init?(_relayed: Value) {
        guard case .float(let float) = _relayed else { return nil }
        self = float
    }
}

extension String: Relayable {
    public static var _datatype: Datatype { .string }
    public var _relayed: Value { .text(Bytes(utf8)) }
    public init?(_relayed: Value) {
        guard case .text(let text) = _relayed else { return nil }
        self.init(decoding: text, as: UTF8.self)
    }
}

/// In a message `nil` is nothing, so the broker retains nothing.
extension Optional: Relayable where Wrapped: Relayable {
    public static var _datatype: Datatype { Wrapped._datatype }
    public var _relayed: Value { map(\._relayed) ?? .null }
    public init?(_relayed: Value) {
        if case .null = _relayed {
            self = nil
        } else if let wrapped = Wrapped(_relayed: _relayed) {
            self = wrapped
        } else {
            return nil
        }
    }
}

extension RawRepresentable where RawValue: Relayable {
    public static var _datatype: Datatype { RawValue._datatype }
    public var _relayed: Value { rawValue._relayed }
    public init?(_relayed: Value) {
        guard let raw = RawValue(_relayed: _relayed) else { return nil }
        self.init(rawValue: raw)
    }
}
