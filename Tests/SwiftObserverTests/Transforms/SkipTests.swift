// SPDX-License-Identifier: MIT

import SwiftObserver
import Testing
import TestSupport

@Suite("skip") struct SkipTests {
    @Test func theFirstMessagesAreLeftOut() {
        expectNumbers("1 2 3 4", gives: "    3 4", standing: { $0.skip(2) }, adHoc: { $0.skip(2) })
        expectNumbers("1 2", gives: "1 2", standing: { $0.skip(0) }, adHoc: { $0.skip(0) })
        expectBoth(
            [1, 2, 3], gives: [2, 3], plain: { $0.skip(1, receive: $1) }, authored: { $0.skip(1, receive: $1) })
    }
}

@Suite("skipRepeats") struct SkipRepeatsTests {
    @Test func whatEqualsTheMessageBeforeIsLeftOut() {
        expectNumbers("1 1 2 2 1", gives: "1   2   1", standing: { $0.skipRepeats() }, adHoc: { $0.skipRepeats() })
        expectBoth([1, 1, 2], gives: [1, 2], plain: { $0.skipRepeats($1) }, authored: { $0.skipRepeats($1) })
    }

    @Test func whatCountsAsEqualCanBeSaid() {
        let bothEven = { (one: Int, other: Int) in one % 2 == other % 2 }
        expectNumbers(
            "1 3 2 4 5", gives: "1   2   5", standing: { $0.skipRepeats(by: bothEven) },
            adHoc: { $0.skipRepeats(by: bothEven) })
        expectBoth(
            [1, 3, 2], gives: [1, 2], plain: { $0.skipRepeats(by: bothEven, receive: $1) },
            authored: { $0.skipRepeats(by: bothEven, receive: $1) })
    }
}

@Suite("uniqueValues") struct UniqueValuesTests {
    @Test func whatWasSentBeforeIsLeftOut() {
        expectNumbers("1 2 1 3 2", gives: "1 2   3", standing: { $0.uniqueValues() }, adHoc: { $0.uniqueValues() })
        expectBoth([1, 1, 2], gives: [1, 2], plain: { $0.uniqueValues($1) }, authored: { $0.uniqueValues($1) })
    }
}

@Suite("withPrevious") struct WithPreviousTests {
    @Test func eachMessageComesWithTheOneBefore() {
        let show = { (pair: (previous: Int?, current: Int)) in "\(pair.previous ?? 0)-\(pair.current)" }
        expectNumbers(
            "1   2   3", gives: "0-1 1-2 2-3", show: show, standing: { $0.withPrevious() }, adHoc: { $0.withPrevious() }
        )
    }

    @Test func theTwoCanBeReceivedAsTwoArguments() {
        let messenger = Messenger<Int>(), dog = Dog()
        var received: [[Int?]] = []
        dog.observe(messenger).withPrevious { previous, current in received.append([previous, current]) }
        dog.observe(messenger).withPrevious { previous, current, author in
            if author === dog { received.append([previous, current]) }
        }
        messenger.send(1, author: dog)
        messenger.send(2, author: dog)
        #expect(received == [[nil, 1], [nil, 1], [1, 2], [1, 2]])
    }
}
