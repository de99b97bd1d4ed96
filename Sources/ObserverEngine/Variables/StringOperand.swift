// SPDX-License-Identifier: MIT

#if !hasFeature(Embedded)
    /// Something to concatenate: a string, a variable of one, or an optional of these. `nil` counts as "".
    public protocol StringOperand {
        /// The string, or "".
        var string: String { get }
    }

    /// The value of a variable of a string: the string, or an optional of it.
    public protocol StringValue: StringOperand {
        /// The string. Setting it replaces `nil`, too.
        var string: String { get set }

        /// Holds a string.
        init(string: String)
    }

    extension String: StringValue {
        /// Itself.
        @inlinable public var string: String {
            get { self }
            set { self = newValue }
        }

        /// A string as it is.
        @inlinable public init(string: String) { self = string }
    }

    extension Optional: StringOperand where Wrapped: StringOperand {
        /// The string inside, with "" for `nil`.
        @inlinable public var string: String { self?.string ?? "" }
    }

    extension Optional: StringValue where Wrapped: StringValue {
        /// The string inside, with "" for `nil`.
        @inlinable public var string: String {
            get { self?.string ?? "" }
            set { self = .some(Wrapped(string: newValue)) }
        }

        /// Holds a string.
        @inlinable public init(string: String) { self = .some(Wrapped(string: string)) }
    }

    /// Does what `+` does, when there is more than one `+`.
    @inlinable
    public func concatenating(_ one: String, _ other: String) -> String {
        var whole = one
        whole.append(other)
        return whole
    }
#endif
