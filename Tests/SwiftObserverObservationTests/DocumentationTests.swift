// SPDX-License-Identifier: MIT

import Observation
import SwiftObserver
import SwiftObserverObservation
import Testing
import TestSupport

@Suite("Documentation: SwiftObserverObservation") struct DocumentationTests {
    @MainActor @Observable final class Pianist {
        var name = "Ann"
        var isFamous = false
    }

    @MainActor @Test func theCodeOfTheFirstPage() async {
        let person = Pianist(), dog = FreeObserver()
        var changes: [String] = []

        let name = Tracked { person.name + (person.isFamous ? "!" : "") }
        dog.observe(name) { update in changes.append("\(update.old) -> \(update.new)") }
        person.name = "Ada"
        person.isFamous = true

        while changes.count < 2 { await Task.yield() }
        #expect(changes == ["Ann -> Ada", "Ada -> Ada!"])
    }

    @Test func itIsTheCodeOfTheFirstPage() throws {
        #expect(
            try codeThatIsNotRun(
                of: "Sources/SwiftObserverObservation/SwiftObserverObservation.docc/SwiftObserverObservation.md",
                by: "Tests/SwiftObserverObservationTests/DocumentationTests.swift") == [])
    }
}
