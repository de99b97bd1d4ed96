// SPDX-License-Identifier: MIT

#if !hasFeature(Embedded)
    /// An operand of `+ - * /`: a number, a variable of one, or an optional of these.
    public protocol NumberOperand<Number> {
        /// The kind of number.
        associatedtype Number: VariableNumber

        /// The number. `nil` counts as zero.
        var number: Number { get }
    }

    /// The value of a variable of a number: the number, or an optional of it.
    public protocol NumberValue<Number>: NumberOperand {
        /// Holds a number.
        init(number: Number)
    }

    /// The kinds of numbers that variables calculate with: `Int`, `Float` and `Double`.
    public protocol VariableNumber: NumberValue, Numeric where Number == Self {
        /// Divides in place.
        static func /= (one: inout Self, other: Self)
    }

    extension VariableNumber {
        /// Itself.
        @inlinable public var number: Self { self }

        /// A number as it is.
        @inlinable public init(number: Self) { self = number }
    }

    extension Int: VariableNumber {}
    extension Float: VariableNumber {}
    extension Double: VariableNumber {}

    extension Optional: NumberOperand where Wrapped: NumberOperand {
        /// The number inside. `nil` counts as zero.
        @inlinable public var number: Wrapped.Number { self?.number ?? .zero }
    }

    extension Optional: NumberValue where Wrapped: NumberValue {
        /// Holds a number.
        @inlinable public init(number: Wrapped.Number) { self = .some(Wrapped(number: number)) }
    }
#endif
