// SPDX-License-Identifier: MIT

import Foundation
import Testing

@Suite("The page for those who come from Combine") struct ComingFromCombineTests {
    @Test func itCountsWhatIsHereAndWhatIsNot() throws {
        let checkout = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let page = try String(
            contentsOf: checkout.appending(path: "Sources/SwiftObserver/SwiftObserver.docc/ComingFromCombine.md"),
            encoding: .utf8)
        let parts = page.components(separatedBy: "## What is not here").map(names)
        #expect(parts.count == 2 && parts[0] > 50 && parts[1] > 20)
        #expect(
            page.contains("name \(parts[0] + parts[1]) of Combine's names: \(parts[0]) have a counterpart, \(parts[1])")
        )
    }

    /// How many are in the first columns of tables.
    private func names(_ text: String) -> Int {
        text.split(separator: "\n").filter { $0.hasPrefix("| `") }.reduce(0) { count, row in
            count + (row.split(separator: "|")[0].count { $0 == "`" }) / 2
        }
    }
}
