// SPDX-License-Identifier: MIT

import SwiftObserver
import Testing

/// Every pair of what can be calculated with. This file is also what the time of type-checking is measured on.
@Suite("Numbers") struct NumberTests {
    @Test func allPairsOfIntegersCalculate() {
        let a: Int = 6, b: Int? = 6, c = Var(6), d = Var<Int?>(6), e: Var<Int>? = Var(6), f: Var<Int?>? = Var(6)
        #expect([a + a, a + b, a + c, a + d, a + e, a + f] == Array(repeating: 12, count: 6))
        #expect([b + a, b + b, b + c, b + d, b + e, b + f] == Array(repeating: 12, count: 6))
        #expect([c + a, c + b, c + c, c + d, c + e, c + f] == Array(repeating: 12, count: 6))
        #expect([d + a, d + b, d + c, d + d, d + e, d + f] == Array(repeating: 12, count: 6))
        #expect([e + a, e + b, e + c, e + d, e + e, e + f] == Array(repeating: 12, count: 6))
        #expect([f + a, f + b, f + c, f + d, f + e, f + f] == Array(repeating: 12, count: 6))
        #expect([a - a, a - b, a - c, a - d, a - e, a - f] == Array(repeating: 0, count: 6))
        #expect([b - a, b - b, b - c, b - d, b - e, b - f] == Array(repeating: 0, count: 6))
        #expect([c - a, c - b, c - c, c - d, c - e, c - f] == Array(repeating: 0, count: 6))
        #expect([d - a, d - b, d - c, d - d, d - e, d - f] == Array(repeating: 0, count: 6))
        #expect([e - a, e - b, e - c, e - d, e - e, e - f] == Array(repeating: 0, count: 6))
        #expect([f - a, f - b, f - c, f - d, f - e, f - f] == Array(repeating: 0, count: 6))
        #expect([a * a, a * b, a * c, a * d, a * e, a * f] == Array(repeating: 36, count: 6))
        #expect([b * a, b * b, b * c, b * d, b * e, b * f] == Array(repeating: 36, count: 6))
        #expect([c * a, c * b, c * c, c * d, c * e, c * f] == Array(repeating: 36, count: 6))
        #expect([d * a, d * b, d * c, d * d, d * e, d * f] == Array(repeating: 36, count: 6))
        #expect([e * a, e * b, e * c, e * d, e * e, e * f] == Array(repeating: 36, count: 6))
        #expect([f * a, f * b, f * c, f * d, f * e, f * f] == Array(repeating: 36, count: 6))
        #expect([a / a, a / b, a / c, a / d, a / e, a / f] == Array(repeating: 1, count: 6))
        #expect([b / a, b / b, b / c, b / d, b / e, b / f] == Array(repeating: 1, count: 6))
        #expect([c / a, c / b, c / c, c / d, c / e, c / f] == Array(repeating: 1, count: 6))
        #expect([d / a, d / b, d / c, d / d, d / e, d / f] == Array(repeating: 1, count: 6))
        #expect([e / a, e / b, e / c, e / d, e / e, e / f] == Array(repeating: 1, count: 6))
        #expect([f / a, f / b, f / c, f / d, f / e, f / f] == Array(repeating: 1, count: 6))
    }

    @Test func allPairsOfFloatsCalculate() {
        let a: Float = 6, b: Float? = 6, c = Var<Float>(6), d = Var<Float?>(6), e: Var<Float>? = Var(6)
        let f: Var<Float?>? = Var(6)
        #expect([a + c, a - c, a * c, a / c] == [12, 0, 36, 1])
        #expect([b + d, b - d, b * d, b / d] == [12, 0, 36, 1])
        #expect([c + e, c - e, c * e, c / e] == [12, 0, 36, 1])
        #expect([d + f, d - f, d * f, d / f] == [12, 0, 36, 1])
        #expect([e + a, e - a, e * a, e / a] == [12, 0, 36, 1])
        #expect([f + b, f - b, f * b, f / b] == [12, 0, 36, 1])
    }

    @Test func allPairsOfDoublesCalculate() {
        let a: Double = 6, b: Double? = 6, c = Var<Double>(6), d = Var<Double?>(6), e: Var<Double>? = Var(6)
        let f: Var<Double?>? = Var(6)
        #expect([a + d, a - d, a * d, a / d] == [12, 0, 36, 1])
        #expect([b + e, b - e, b * e, b / e] == [12, 0, 36, 1])
        #expect([c + f, c - f, c * f, c / f] == [12, 0, 36, 1])
        #expect([d + a, d - a, d * a, d / a] == [12, 0, 36, 1])
        #expect([e + b, e - b, e * b, e / b] == [12, 0, 36, 1])
        #expect([f + c, f - c, f * c, f / c] == [12, 0, 36, 1])
    }

    @Test func nilCountsAsZero() {
        let number: Int? = nil, variable: Var<Int>? = nil, inner = Var<Int?>(), both: Var<Int?>? = nil
        #expect(number + 5 == 5)
        #expect(5 - inner == 5)
        #expect(variable * 5 == 0)
        #expect(both + number == 0)
        #expect(variable.int == 0 && inner.int == 0 && both.int == 0)
    }

    @Test func literalsTakeTheTypeOfTheVariable() {
        let double = Var(1.5), float = Var<Float?>(2), integer = Var(7)
        #expect(double + 1 == 2.5)
        #expect(2 * double == 3)
        #expect(float / 4 == 0.5)
        #expect(integer + 1 - 2 * integer == -6)
        #expect((integer + integer) * 2 == 28)
    }

    /// Fault 1 of the published code: it left nil.
    @Test func compoundAssignmentWorksOnNil() {
        let int = Var<Int?>(), float = Var<Float?>(), double = Var<Double?>()
        int.int += 5
        float.float += 2.5
        double.double -= 1
        #expect(int.value == 5 && float.value == 2.5 && double.value == -1)
        let maybeInt: Var<Int?>? = Var(), maybeFloat: Var<Float>? = Var(1), maybeDouble: Var<Double?>? = Var()
        maybeInt.int += 5
        maybeFloat.float *= 3
        maybeDouble.double += 0.5
        #expect(maybeInt?.value == 5 && maybeFloat?.value == 3 && maybeDouble?.value == 0.5)
        let nothing: Var<Int>? = nil
        nothing.int += 5
        #expect(nothing.int == 0)
    }

    @Test func settingTheNumberSendsAnUpdate() {
        let number = Var<Int?>(), dog = Dog()
        dog.listen(to: number)
        number.int = 5
        number.int += 0
        #expect(dog.heard == ["nil>Optional(5)"])
    }
}
