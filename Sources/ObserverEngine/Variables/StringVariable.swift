// SPDX-License-Identifier: MIT

#if !hasFeature(Embedded)
    /// A variable of a string, as those of different kinds have it in common.
    public protocol StringVariable: AnyObject, StringOperand {
        /// The value, with "" for `nil`.
        var string: String { get set }
    }

    extension Optional where Wrapped: StringVariable {
        /// The value of the variable, with "" for `nil` and for no variable. Setting it needs a variable.
        @inlinable public var string: String {
            get { self?.string ?? "" }
            nonmutating set { self?.string = newValue }
        }
    }

    // A variable of a string, optional or not, is a collection of the characters of its `string`.
    extension StringVariable {
        /// Goes through the characters that are there now.
        @inlinable public func makeIterator() -> String.Iterator { string.makeIterator() }

        /// Where the string begins.
        @inlinable public var startIndex: String.Index { string.startIndex }

        /// Where the string ends.
        @inlinable public var endIndex: String.Index { string.endIndex }

        /// The index of the next character.
        @inlinable public func index(after index: String.Index) -> String.Index { string.index(after: index) }

        /// The index of the character before.
        @inlinable public func index(before index: String.Index) -> String.Index { string.index(before: index) }

        /// The character at an index of the string.
        @inlinable public subscript(position: String.Index) -> Character { string[position] }
    }
#endif
