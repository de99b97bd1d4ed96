// SPDX-License-Identifier: MIT

#if !hasFeature(Embedded)
    // `int`, `float` and `double` of numbers and of optional numbers, as variables of these have them.

    extension NumberValue where Number == Int {
        /// The number, with zero for `nil`.
        @inlinable public var int: Int {
            get { number }
            set { self = Self(number: newValue) }
        }
    }

    extension NumberValue where Number == Float {
        /// The number, with zero for `nil`.
        @inlinable public var float: Float {
            get { number }
            set { self = Self(number: newValue) }
        }
    }

    extension NumberValue where Number == Double {
        /// The number, with zero for `nil`.
        @inlinable public var double: Double {
            get { number }
            set { self = Self(number: newValue) }
        }
    }
#endif
