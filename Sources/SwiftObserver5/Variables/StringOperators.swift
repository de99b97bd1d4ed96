// SPDX-License-Identifier: MIT

import ObserverEngine

/// Concatenates strings, variables of strings, and optionals of these.
@inlinable
public func + <One: StringOperand, Other: StringOperand>(one: One, other: Other) -> String {
    concatenating(one.string, other.string)
}

// A string is a sequence, and so is a variable of one: these decide between concatenating and appending elements.

/// Concatenates a string and a variable of one.
@inlinable
public func + <Other: StringValue>(one: String, other: Var<Other>) -> String {
    concatenating(one, other.string)
}

/// Concatenates a variable of a string and a string.
@inlinable
public func + <One: StringValue>(one: Var<One>, other: String) -> String {
    concatenating(one.string, other)
}
