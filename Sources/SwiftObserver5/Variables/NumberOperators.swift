// SPDX-License-Identifier: MIT

import ObserverEngine

// Calculating with variables: `+ - * /` for all pairs of numbers, variables of numbers, and optionals of these.
//
// Each operator comes in three forms, because a literal takes its type from the other side only where
// that side names it.

/// Adds numbers, variables of numbers, and optionals of these. `nil` counts as zero.
@inlinable
public func + <One: NumberOperand, Other: NumberOperand>(
    one: One, other: Other
) -> One.Number where One.Number == Other.Number { sum(one.number, other.number) }

/// Adds numbers, variables of numbers, and optionals of these. `nil` counts as zero.
@inlinable
public func + <One: NumberOperand>(one: One, other: One.Number) -> One.Number { sum(one.number, other) }

/// Adds numbers, variables of numbers, and optionals of these. `nil` counts as zero.
@inlinable
public func + <Other: NumberOperand>(one: Other.Number, other: Other) -> Other.Number { sum(one, other.number) }

/// Subtracts numbers, variables of numbers, and optionals of these. `nil` counts as zero.
@inlinable
public func - <One: NumberOperand, Other: NumberOperand>(
    one: One, other: Other
) -> One.Number where One.Number == Other.Number { difference(one.number, other.number) }

/// Subtracts numbers, variables of numbers, and optionals of these. `nil` counts as zero.
@inlinable
public func - <One: NumberOperand>(one: One, other: One.Number) -> One.Number { difference(one.number, other) }

/// Subtracts numbers, variables of numbers, and optionals of these. `nil` counts as zero.
@inlinable
public func - <Other: NumberOperand>(one: Other.Number, other: Other) -> Other.Number { difference(one, other.number) }

/// Multiplies numbers, variables of numbers, and optionals of these. `nil` counts as zero.
@inlinable
public func * <One: NumberOperand, Other: NumberOperand>(
    one: One, other: Other
) -> One.Number where One.Number == Other.Number { product(one.number, other.number) }

/// Multiplies numbers, variables of numbers, and optionals of these. `nil` counts as zero.
@inlinable
public func * <One: NumberOperand>(one: One, other: One.Number) -> One.Number { product(one.number, other) }

/// Multiplies numbers, variables of numbers, and optionals of these. `nil` counts as zero.
@inlinable
public func * <Other: NumberOperand>(one: Other.Number, other: Other) -> Other.Number { product(one, other.number) }

/// Divides numbers, variables of numbers, and optionals of these. `nil` counts as zero.
@inlinable
public func / <One: NumberOperand, Other: NumberOperand>(
    one: One, other: Other
) -> One.Number where One.Number == Other.Number { quotient(one.number, other.number) }

/// Divides numbers, variables of numbers, and optionals of these. `nil` counts as zero.
@inlinable
public func / <One: NumberOperand>(one: One, other: One.Number) -> One.Number { quotient(one.number, other) }

/// Divides numbers, variables of numbers, and optionals of these. `nil` counts as zero.
@inlinable
public func / <Other: NumberOperand>(one: Other.Number, other: Other) -> Other.Number { quotient(one, other.number) }
