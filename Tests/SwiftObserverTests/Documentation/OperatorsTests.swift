// SPDX-License-Identifier: MIT

import SwiftObserver
import Testing

@MainActor @Suite("Documentation: Operators at a Glance") struct OperatorsTests {
    @Test func bothWays() {
        let number = Var(0), dog = Dog()
        var standing: [String] = [], adHoc: [String] = [], doubled: [Int] = [], values: [Int] = []

        let texts = number.new().filter { $0 > 9 }.map { "\($0)" }
        dog.observe(texts) { standing.append($0) }

        dog.observe(number).new().filter { $0 > 9 }.map { "\($0)" }.receive { adHoc.append($0) }

        dog.observe(number).new().map({ $0 * 2 }) { doubled.append($0) }
        dog.observe(number).new { values.append($0) }

        number <- 5
        number <- 10
        #expect(standing == ["10"] && adHoc == ["10"])
        #expect(doubled == [10, 20] && values == [5, 10])
    }
}
