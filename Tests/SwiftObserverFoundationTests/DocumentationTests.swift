// SPDX-License-Identifier: MIT

import Foundation
import SwiftObserver
import SwiftObserverFoundation
import Testing
import TestSupport

@Suite("Documentation: SwiftObserverFoundation") struct DocumentationTests {
    @Test func theCodeOfTheFirstPage() {
        let center = NotificationCenter(), saved = Notification.Name("saved"), dog = FreeObserver()
        nonisolated(unsafe) var titles: [String] = []

        let saves = center.observable(for: saved)
        dog.observe(saves).map { $0.userInfo?["title"] as? String ?? "untitled" }.receive { titles.append($0) }
        center.post(name: saved, object: nil, userInfo: ["title": "Letter"])

        withExtendedLifetime(saves) {}
        #expect(titles == ["Letter"])
    }

    @Test func itIsTheCodeOfTheFirstPage() throws {
        #expect(
            try codeThatIsNotRun(
                of: "Sources/SwiftObserverFoundation/SwiftObserverFoundation.docc/SwiftObserverFoundation.md",
                by: "Tests/SwiftObserverFoundationTests/DocumentationTests.swift") == [])
    }
}
