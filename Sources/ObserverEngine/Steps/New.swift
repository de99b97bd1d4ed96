// SPDX-License-Identifier: MIT

/// Passes on the new value of each update.
///
///     sent    (0, 1) (1, 5)
///     passed      1      5
@inlinable
public func takingNew<Value>() -> Step<Update<Value>, Value> {
    { $0.new }
}
