// SPDX-License-Identifier: MIT

#if !hasFeature(Embedded)
    // The operators of vocabularies call these. Assigning operators do the work, because those of a vocabulary are not
    // among them, so none of these can be one of those.

    @inlinable
    public func sum<Number: VariableNumber>(_ one: Number, _ other: Number) -> Number {
        var result = one
        result += other
        return result
    }

    @inlinable
    public func difference<Number: VariableNumber>(_ one: Number, _ other: Number) -> Number {
        var result = one
        result -= other
        return result
    }

    @inlinable
    public func product<Number: VariableNumber>(_ one: Number, _ other: Number) -> Number {
        var result = one
        result *= other
        return result
    }

    @inlinable
    public func quotient<Number: VariableNumber>(_ one: Number, _ other: Number) -> Number {
        var result = one
        result /= other
        return result
    }
#endif
