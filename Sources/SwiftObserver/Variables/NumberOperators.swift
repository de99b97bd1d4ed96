// SPDX-License-Identifier: MIT

// Calculating with variables: `+ - * /` for all pairs of numbers, variables of numbers, and optionals of these.
//
// Each operator comes in three forms, because a literal takes its type from the other side only where
// that side names it.

@inlinable
public func + <One: NumberOperand, Other: NumberOperand>(
    one: One, other: Other
) -> One.Number where One.Number == Other.Number {
    .add(one.number, other.number)
}

@inlinable
public func + <One: NumberOperand>(one: One, other: One.Number) -> One.Number {
    .add(one.number, other)
}

@inlinable
public func + <Other: NumberOperand>(one: Other.Number, other: Other) -> Other.Number {
    .add(one, other.number)
}

@inlinable
public func - <One: NumberOperand, Other: NumberOperand>(
    one: One, other: Other
) -> One.Number where One.Number == Other.Number {
    .subtract(one.number, other.number)
}

@inlinable
public func - <One: NumberOperand>(one: One, other: One.Number) -> One.Number {
    .subtract(one.number, other)
}

@inlinable
public func - <Other: NumberOperand>(one: Other.Number, other: Other) -> Other.Number {
    .subtract(one, other.number)
}

@inlinable
public func * <One: NumberOperand, Other: NumberOperand>(
    one: One, other: Other
) -> One.Number where One.Number == Other.Number {
    .multiply(one.number, other.number)
}

@inlinable
public func * <One: NumberOperand>(one: One, other: One.Number) -> One.Number {
    .multiply(one.number, other)
}

@inlinable
public func * <Other: NumberOperand>(one: Other.Number, other: Other) -> Other.Number {
    .multiply(one, other.number)
}

@inlinable
public func / <One: NumberOperand, Other: NumberOperand>(
    one: One, other: Other
) -> One.Number where One.Number == Other.Number {
    .divide(one.number, other.number)
}

@inlinable
public func / <One: NumberOperand>(one: One, other: One.Number) -> One.Number {
    .divide(one.number, other)
}

@inlinable
public func / <Other: NumberOperand>(one: Other.Number, other: Other) -> Other.Number {
    .divide(one, other.number)
}
