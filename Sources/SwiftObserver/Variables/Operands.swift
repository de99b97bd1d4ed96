// SPDX-License-Identifier: MIT

// What can be calculated with belongs to the engine, and is part of this vocabulary.
@_exported import protocol ObserverEngine.NumberOperand
@_exported import protocol ObserverEngine.NumberValue
@_exported import protocol ObserverEngine.NumberVariable
@_exported import protocol ObserverEngine.StringOperand
@_exported import protocol ObserverEngine.StringValue
@_exported import protocol ObserverEngine.StringVariable
@_exported import protocol ObserverEngine.VariableNumber

/// A number, or an optional of it, of the kind that `int` gives.
public typealias IntValue = NumberValue<Int>

/// A number, or an optional of it, of the kind that `float` gives.
public typealias FloatValue = NumberValue<Float>

/// A number, or an optional of it, of the kind that `double` gives.
public typealias DoubleValue = NumberValue<Double>

extension Var: NumberOperand, NumberVariable where Value: NumberValue {
    /// The value as a number. `nil` counts as zero.
    @inlinable public var number: Value.Number {
        get { value.number }
        set { value = Value(number: newValue) }
    }
}

extension Var: StringOperand, StringVariable where Value: StringValue {
    /// The value, with "" for `nil`: `Var<String?>().string += "a"` gives "a".
    @inlinable public var string: String {
        get { value.string }
        set { value = Value(string: newValue) }
    }
}
