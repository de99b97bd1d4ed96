// SPDX-License-Identifier: MIT

import ObserverEngine

// Calculating with variables: `+ - * /` for all pairs of numbers, variables of numbers, and optionals of these.
//
// Each operator comes in three forms, because a literal takes its type from the other side only where
// that side names it. Assigning operators do the work, because these are nobody's but the numbers' own.

/// Adds numbers, variables of numbers, and optionals of these. `nil` counts as zero.
@inlinable
public func + <One: NumberOperand, Other: NumberOperand>(
    one: One, other: Other
) -> One.Number where One.Number == Other.Number {
    var result = one.number
    result += other.number
    return result
}

/// Adds numbers, variables of numbers, and optionals of these. `nil` counts as zero.
@inlinable
public func + <One: NumberOperand>(one: One, other: One.Number) -> One.Number {
    var result = one.number
    result += other
    return result
}

/// Adds numbers, variables of numbers, and optionals of these. `nil` counts as zero.
@inlinable
public func + <Other: NumberOperand>(one: Other.Number, other: Other) -> Other.Number {
    var result = one
    result += other.number
    return result
}

/// Subtracts numbers, variables of numbers, and optionals of these. `nil` counts as zero.
@inlinable
public func - <One: NumberOperand, Other: NumberOperand>(
    one: One, other: Other
) -> One.Number where One.Number == Other.Number {
    var result = one.number
    result -= other.number
    return result
}

/// Subtracts numbers, variables of numbers, and optionals of these. `nil` counts as zero.
@inlinable
public func - <One: NumberOperand>(one: One, other: One.Number) -> One.Number {
    var result = one.number
    result -= other
    return result
}

/// Subtracts numbers, variables of numbers, and optionals of these. `nil` counts as zero.
@inlinable
public func - <Other: NumberOperand>(one: Other.Number, other: Other) -> Other.Number {
    var result = one
    result -= other.number
    return result
}

/// Multiplies numbers, variables of numbers, and optionals of these. `nil` counts as zero.
@inlinable
public func * <One: NumberOperand, Other: NumberOperand>(
    one: One, other: Other
) -> One.Number where One.Number == Other.Number {
    var result = one.number
    result *= other.number
    return result
}

/// Multiplies numbers, variables of numbers, and optionals of these. `nil` counts as zero.
@inlinable
public func * <One: NumberOperand>(one: One, other: One.Number) -> One.Number {
    var result = one.number
    result *= other
    return result
}

/// Multiplies numbers, variables of numbers, and optionals of these. `nil` counts as zero.
@inlinable
public func * <Other: NumberOperand>(one: Other.Number, other: Other) -> Other.Number {
    var result = one
    result *= other.number
    return result
}

/// Divides numbers, variables of numbers, and optionals of these. `nil` counts as zero.
@inlinable
public func / <One: NumberOperand, Other: NumberOperand>(
    one: One, other: Other
) -> One.Number where One.Number == Other.Number {
    var result = one.number
    result /= other.number
    return result
}

/// Divides numbers, variables of numbers, and optionals of these. `nil` counts as zero.
@inlinable
public func / <One: NumberOperand>(one: One, other: One.Number) -> One.Number {
    var result = one.number
    result /= other
    return result
}

/// Divides numbers, variables of numbers, and optionals of these. `nil` counts as zero.
@inlinable
public func / <Other: NumberOperand>(one: Other.Number, other: Other) -> Other.Number {
    var result = one
    result /= other.number
    return result
}
