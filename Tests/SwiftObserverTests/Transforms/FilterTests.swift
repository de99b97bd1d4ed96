// SPDX-License-Identifier: MIT

import SwiftObserver
import Testing
import TestSupport

@Suite("filter") struct FilterTests {
    @Test func onlyWhatIsWantedPasses() {
        expectNumbers("1 2 3 4", gives: "  2   4", standing: { $0.filter(isEven) }, adHoc: { $0.filter(isEven) })
        expectBoth(
            [1, 2, 3, 4], gives: [2, 4], plain: { $0.filter(isEven, receive: $1) },
            authored: { $0.filter(isEven, receive: $1) })
    }

    /// Fault 2 of the published code: the filter was lost.
    @Test func aFilterBetweenMappingsStays() {
        expectNumbers(
            "8 9 10 11", gives: "    11 12",
            standing: { $0.map { $0 + 1 }.filter { $0 > 10 }.map { "\($0)" } },
            adHoc: { $0.map { $0 + 1 }.filter { $0 > 10 }.map { "\($0)" } })
    }

    private func isEven(_ number: Int) -> Bool { number % 2 == 0 }
}
