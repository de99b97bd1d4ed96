// SPDX-License-Identifier: MIT

#if !hasFeature(Embedded)
    /// Whether a new value changes nothing. Decided by the type, at run time, so that it is the same in
    /// generic code, which knows no more of `Value` than its name.
    ///
    /// - `Equatable` values, optional or not: by `==`.
    /// - Other references, optional or not: by identity.
    /// - Anything else: never.
    @inlinable
    public func equality<Value>(like value: Value) -> (_ old: Value, _ new: Value) -> Bool {
        if let type = Value.self as? any Equatable.Type { return comparing(type) }
        return identity(like: value)
    }

    /// The same where there is no value yet, of results: what is no number equals itself, or what depends on itself by way of
    /// effects would never rest.
    public func equality<Value>(of type: Value.Type) -> (_ old: Value, _ new: Value) -> Bool {
        if let type = Value.self as? any FloatingPoint.Type { return comparingNumbers(type) }
        if let type = Value.self as? any Equatable.Type { return comparing(type) }
        return { equality(like: $1)($0, $1) }
    }

    /// The same of the standard types that hold bits and nothing else; `nil` of all others.
    @inlinable @inline(__always)
    public func isEqualPlain<Value>(_ old: Value, _ new: Value) -> Bool? {
        isEqual(old, new, as: Int.self) ?? isEqual(old, new, as: Bool.self) ?? isEqual(old, new, as: UInt.self)
            ?? isEqual(old, new, as: Int64.self) ?? isEqual(old, new, as: UInt64.self)
            ?? isEqual(old, new, as: Int32.self) ?? isEqual(old, new, as: UInt32.self)
            ?? isEqual(old, new, as: UInt8.self) ?? isEqualNumber(old, new, as: Double.self)
            ?? isEqualNumber(old, new, as: Float.self)
    }

    @inlinable @inline(__always)
    func isEqual<Value, Plain: Equatable>(_ old: Value, _ new: Value, as type: Plain.Type) -> Bool? {
        Value.self == type ? unsafeBitCast(old, to: type) == unsafeBitCast(new, to: type) : nil
    }

    @inlinable @inline(__always)
    func isEqualNumber<Value, Plain: FloatingPoint>(_ old: Value, _ new: Value, as type: Plain.Type) -> Bool? {
        Value.self == type ? isSameNumber(unsafeBitCast(old, to: type), unsafeBitCast(new, to: type)) : nil
    }

    private func comparingNumbers<Value, Same: FloatingPoint>(_ type: Same.Type) -> (Value, Value) -> Bool {
        { isSameNumber(unsafeBitCast($0, to: type), unsafeBitCast($1, to: type)) }
    }

    @inlinable @inline(__always)
    func isSameNumber<Number: FloatingPoint>(_ one: Number, _ other: Number) -> Bool {
        one == other || one.isNaN && other.isNaN
    }

    @inlinable
    func comparing<Value, Same: Equatable>(_ type: Same.Type) -> (Value, Value) -> Bool {
        precondition(Value.self == Same.self, "values are compared as what they are")
        return { unsafeBitCast($0, to: Same.self) == unsafeBitCast($1, to: Same.self) }
    }

    @usableFromInline
    func identity<Value>(like value: Value) -> (Value, Value) -> Bool {
        if let optional = Value.self as? any OptionalType.Type {
            let isReference = optional.wrapped is AnyClass
            return { old, new in
                guard let old = content(of: old), let new = content(of: new) else {
                    return isReference && content(of: old) == nil && content(of: new) == nil
                }
                return areSameObject(old, new)
            }
        }
        // A value of a protocol type shows another type inside, and that may be a class.
        if Value.self is AnyClass || type(of: value as Any) != Value.self { return { areSameObject($0, $1) } }
        return { _, _ in false }
    }

    private func areSameObject(_ one: Any, _ other: Any) -> Bool {
        // First, because every value can be cast to an object.
        guard type(of: one) is AnyClass, type(of: other) is AnyClass else { return false }
        return (one as AnyObject) === (other as AnyObject)
    }

    private func content<Value>(of value: Value) -> Any? {
        (value as? any OptionalType)?.content
    }

    private protocol OptionalType {
        static var wrapped: Any.Type { get }
        var content: Any? { get }
    }

    extension Optional: OptionalType {
        static var wrapped: Any.Type { Wrapped.self }
        var content: Any? { map { $0 as Any } }
    }
#endif
