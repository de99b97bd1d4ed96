// SPDX-License-Identifier: MIT

import SwiftObserver
import Testing
import TestSupport

@Suite("skip") struct SkipTests {
    @Test func theFirstMessagesAreLeftOut() {
        expectNumbers("1 2 3 4", gives: "    3 4", standing: { $0.skip(2) }, adHoc: { $0.skip(2) })
        expectNumbers("1 2", gives: "1 2", standing: { $0.skip(0) }, adHoc: { $0.skip(0) })
    }
}

@Suite("skipRepeats") struct SkipRepeatsTests {
    @Test func whatEqualsTheMessageBeforeIsLeftOut() {
        expectNumbers("1 1 2 2 1", gives: "1   2   1", standing: { $0.skipRepeats() }, adHoc: { $0.skipRepeats() })
    }

    @Test func whatCountsAsEqualCanBeSaid() {
        let bothEven = { (one: Int, other: Int) in one % 2 == other % 2 }
        expectNumbers(
            "1 3 2 4 5", gives: "1   2   5", standing: { $0.skipRepeats(by: bothEven) },
            adHoc: { $0.skipRepeats(by: bothEven) })
    }
}

@Suite("uniqueValues") struct UniqueValuesTests {
    @Test func whatWasSentBeforeIsLeftOut() {
        expectNumbers("1 2 1 3 2", gives: "1 2   3", standing: { $0.uniqueValues() }, adHoc: { $0.uniqueValues() })
    }
}

@Suite("withPrevious") struct WithPreviousTests {
    @Test func eachMessageComesWithTheOneBefore() {
        let show = { (pair: (previous: Int?, current: Int)) in "\(pair.previous ?? 0)-\(pair.current)" }
        expectNumbers(
            "1   2   3", gives: "0-1 1-2 2-3", show: show, standing: { $0.withPrevious() }, adHoc: { $0.withPrevious() }
        )
    }
}
