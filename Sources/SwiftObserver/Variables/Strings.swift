// SPDX-License-Identifier: MIT

/// What can be concatenated: a string, a variable of one, or an optional of these. `nil` counts as "".
public protocol StringOperand {
    /// The string, or "".
    var string: String { get }
}

/// What a variable of a string can hold: the string, or an optional of it.
public protocol StringValue: StringOperand {
    /// Holds a string.
    init(string: String)
}

extension String: StringValue {
    /// Itself.
    @inlinable public var string: String { self }

    /// A string as it is.
    @inlinable public init(string: String) { self = string }
}

extension Optional: StringOperand where Wrapped: StringOperand {
    /// What is inside, with "" for `nil`.
    @inlinable public var string: String { self?.string ?? "" }
}

extension Optional: StringValue where Wrapped: StringValue {
    /// Holds a string.
    @inlinable public init(string: String) { self = .some(Wrapped(string: string)) }
}

extension Optional where Wrapped: StringVariable {
    /// The value of the variable, with "" for `nil` and for no variable. Setting it needs a variable.
    @inlinable public var string: String {
        get { self?.string ?? "" }
        nonmutating set { self?.string = newValue }
    }
}

/// A variable of a string, as those of different kinds have it in common.
public protocol StringVariable: AnyObject, StringOperand {
    /// The value, with "" for `nil`.
    var string: String { get set }
}

extension Var: StringOperand where Value: StringValue {}

extension Var: StringVariable where Value: StringValue {
    /// The value, with "" for `nil`: `Var<String?>().string += "a"` gives "a".
    @inlinable public var string: String {
        get { value.string }
        set { value = Value(string: newValue) }
    }
}

/// Concatenates strings, variables of strings, and optionals of these.
@inlinable
public func + <One: StringOperand, Other: StringOperand>(one: One, other: Other) -> String {
    one.string.appending(contentsOf: other.string)
}

// A string is a sequence, and so is a variable of one: these decide between concatenating and appending elements.

/// Concatenates a string and a variable of one.
@inlinable
public func + <Other: StringValue>(one: String, other: Var<Other>) -> String {
    one.appending(contentsOf: other.string)
}

/// Concatenates a variable of a string and a string.
@inlinable
public func + <One: StringValue>(one: Var<One>, other: String) -> String {
    one.string.appending(contentsOf: other)
}

extension String {
    /// What `+` does, when there is more than one `+`.
    @inlinable
    func appending(contentsOf other: String) -> String {
        var whole = self
        whole.append(other)
        return whole
    }
}
