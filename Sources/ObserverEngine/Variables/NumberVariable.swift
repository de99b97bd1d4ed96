// SPDX-License-Identifier: MIT

#if !hasFeature(Embedded)
    // `int`, `float` and `double` of variables of numbers, of optional numbers, and of optional variables.

    /// A variable of a number, as those of different kinds have it in common.
    public protocol NumberVariable<Number>: AnyObject, NumberOperand {
        /// The value as a number. `nil` counts as zero.
        var number: Number { get set }
    }

    extension NumberVariable where Number == Int {
        /// The value, with zero for `nil`: `Var<Int?>().int += 5` gives 5.
        @inlinable public var int: Int {
            get { number }
            set { number = newValue }
        }
    }

    extension NumberVariable where Number == Float {
        /// The value, with zero for `nil`.
        @inlinable public var float: Float {
            get { number }
            set { number = newValue }
        }
    }

    extension NumberVariable where Number == Double {
        /// The value, with zero for `nil`.
        @inlinable public var double: Double {
            get { number }
            set { number = newValue }
        }
    }

    extension Optional where Wrapped: NumberVariable, Wrapped.Number == Int {
        /// The value of the variable, with zero for `nil` and for no variable. Setting it needs a variable.
        @inlinable public var int: Int {
            get { number }
            nonmutating set { self?.number = newValue }
        }
    }

    extension Optional where Wrapped: NumberVariable, Wrapped.Number == Float {
        /// The value of the variable, with zero for `nil` and for no variable. Setting it needs a variable.
        @inlinable public var float: Float {
            get { number }
            nonmutating set { self?.number = newValue }
        }
    }

    extension Optional where Wrapped: NumberVariable, Wrapped.Number == Double {
        /// The value of the variable, with zero for `nil` and for no variable. Setting it needs a variable.
        @inlinable public var double: Double {
            get { number }
            nonmutating set { self?.number = newValue }
        }
    }
#endif
