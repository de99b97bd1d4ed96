// SPDX-License-Identifier: MIT

infix operator <- : AssignmentPrecedence

/// Sets the value of a variable: `number <- 42`.
@inlinable
public func <- <Value>(variable: Var<Value>?, value: Value) {
    variable?.value = value
}
