// SPDX-License-Identifier: MIT

import SwiftObserver
import Testing
import TestSupport

@MainActor @Suite("Documentation: Derived Variables") struct DerivedVariablesTests {
    struct NoNumber: Error {}

    final class Rectangle: Sendable {
        let width = Var(2.0), height = Var(3.0)
        let area: Derived<Double, Never>

        init() {
            area = Derived { [width, height] in width.value * height.value }
        }
    }

    @Test func theArticleRuns() throws {
        let dog = Dog(), count = Var(0)
        var log: [String] = []

        let width = Var(2.0), height = Var(3.0)
        let area = Derived { width.value * height.value }
        #expect(area.value == 6)

        dog.observe(area).new().receive { new in log.append("area \(new)") }
        width.value = 4
        // area 12.0
        #expect(log == ["area 12.0"])

        let title = Derived { "\(area.value) (seen \(untracked { count.value }) times)" }
        #expect(title.value == "12.0 (seen 0 times)")
        count.value = 1
        #expect(title.value == "12.0 (seen 0 times)")

        let age = Var("thirty")
        let years = Derived {
            guard let number = Int(age.value) else { throw NoNumber() }
            return number
        }
        let isAdult = Derived { ((try? years.value) ?? 0) >= 18 }
        #expect(throws: NoNumber.self) { try years.value }
        #expect(!isAdult.value)
        age.value = "30"
        #expect(try years.value == 30 && isAdult.value)

        transaction {
            width.value = 10
            height.value = 10
        }
        // area 100.0
        #expect(log == ["area 12.0", "area 100.0"])

        let (shownWidth, shownArea) = snapshot { (width.value, area.value) }
        #expect(shownArea / shownWidth == 10)

        dog.effect { run in
            let now = area.value
            log.append("begin \(now)")
            run.onCleanUp { log.append("end \(now)") }
        }
        height.value = 1
        #expect(log.suffix(3) == ["area 10.0", "end 100.0", "begin 10.0"])
        #expect(Rectangle().area.value == 6)
    }
}
