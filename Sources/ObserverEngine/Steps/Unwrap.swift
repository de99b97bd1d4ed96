// SPDX-License-Identifier: MIT

/// Passes on what is in each message, and leaves out those that are `nil`.
///
///     sent    1 nil 3
///     passed  1     3
@inlinable
public func unwrapping<Wrapped>() -> Step<Wrapped?, Wrapped> {
    { $0 }
}

/// Passes on what is in each message, or a default.
///
///     sent            1 nil 3
///     passed, or: 0   1  0  3
@inlinable
public func unwrapping<Wrapped>(or standIn: Wrapped) -> Step<Wrapped?, Wrapped> {
    { $0 ?? standIn }
}
