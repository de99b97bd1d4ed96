// SPDX-License-Identifier: MIT

/// What can stand on either side of `+ - * /`: a number, a variable of one, or an optional of these.
/// `nil` counts as zero.
public protocol NumberOperand<Number> {
    associatedtype Number: VariableNumber
    var number: Number { get }
}

/// What a variable of a number can hold: the number, or an optional of it.
public protocol NumberValue<Number>: NumberOperand {
    init(number: Number)
}

/// The kinds of numbers that variables calculate with: `Int`, `Float` and `Double`.
public protocol VariableNumber: NumberValue where Number == Self {
    static var zero: Self { get }
    static func add(_ one: Self, _ other: Self) -> Self
    static func subtract(_ one: Self, _ other: Self) -> Self
    static func multiply(_ one: Self, _ other: Self) -> Self
    static func divide(_ one: Self, _ other: Self) -> Self
}

extension VariableNumber {
    @inlinable public var number: Self { self }
    @inlinable public init(number: Self) { self = number }
}

// Each is written with its type's own operators: in generic code they would find those below.
extension Int: VariableNumber {
    @inlinable public static func add(_ one: Int, _ other: Int) -> Int { one + other }
    @inlinable public static func subtract(_ one: Int, _ other: Int) -> Int { one - other }
    @inlinable public static func multiply(_ one: Int, _ other: Int) -> Int { one * other }
    @inlinable public static func divide(_ one: Int, _ other: Int) -> Int { one / other }
}

extension Float: VariableNumber {
    @inlinable public static func add(_ one: Float, _ other: Float) -> Float { one + other }
    @inlinable public static func subtract(_ one: Float, _ other: Float) -> Float { one - other }
    @inlinable public static func multiply(_ one: Float, _ other: Float) -> Float { one * other }
    @inlinable public static func divide(_ one: Float, _ other: Float) -> Float { one / other }
}

extension Double: VariableNumber {
    @inlinable public static func add(_ one: Double, _ other: Double) -> Double { one + other }
    @inlinable public static func subtract(_ one: Double, _ other: Double) -> Double { one - other }
    @inlinable public static func multiply(_ one: Double, _ other: Double) -> Double { one * other }
    @inlinable public static func divide(_ one: Double, _ other: Double) -> Double { one / other }
}

extension Optional: NumberOperand where Wrapped: NumberOperand {
    @inlinable public var number: Wrapped.Number { self?.number ?? .zero }
}

extension Optional: NumberValue where Wrapped: NumberValue {
    @inlinable public init(number: Wrapped.Number) { self = .some(Wrapped(number: number)) }
}

extension Var: NumberOperand where Value: NumberValue {
    /// The value as a number. `nil` counts as zero.
    @inlinable public var number: Value.Number {
        get { value.number }
        set { value = Value(number: newValue) }
    }
}
