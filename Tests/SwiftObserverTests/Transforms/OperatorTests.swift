// SPDX-License-Identifier: MIT

import SwiftObserver
import Testing
import TestSupport

/// Each operator, standing and ad hoc, against marble diagrams.
@Suite("Operators") struct OperatorTests {
    @Test func mapMakesAMessageOfEach() {
        expectNumbers("1 2  3", gives: "x xx xxx", standing: { $0.map(bars) }, adHoc: { $0.map(bars) })
        expectBoth(
            [1, 2], gives: ["x", "xx"], plain: { $0.map(bars, receive: $1) }, authored: { $0.map(bars, receive: $1) })
    }

    @Test func newTakesTheNewValue() {
        expect("1 2 3", gives: "1 2 3", read: { Update(0, Int($0)!) }, standing: { $0.new() }, adHoc: { $0.new() })
        expectBoth([Update(1, 2), Update(2, 3)], gives: [2, 3], plain: { $0.new($1) }, authored: { $0.new($1) })
    }

    @Test func unwrapLeavesOutNilOrReplacesIt() {
        expect("1 nil 3", gives: "1     3", read: { Int($0) }, standing: { $0.unwrap() }, adHoc: { $0.unwrap() })
        expect("1 nil 3", gives: "1     3", read: { Int($0) }, standing: { $0.skipNil() }, adHoc: { $0.skipNil() })
        expect("1 nil 3", gives: "1 0   3", read: { Int($0) }, standing: { $0.unwrap(0) }, adHoc: { $0.unwrap(0) })
        expectBoth([1, nil, 3], gives: [1, 3], plain: { $0.unwrap($1) }, authored: { $0.unwrap($1) })
        expectBoth(
            [1, nil], gives: [1, 0], plain: { $0.unwrap(0, receive: $1) }, authored: { $0.unwrap(0, receive: $1) })
    }

    @Test func filterPassesWhatIsWanted() {
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

    @Test func selectPassesOneMessageAndItsAuthor() {
        expectNumbers(
            "1 2 1 3", gives: "!   !", show: { _ in "!" }, standing: { $0.select(1) }, adHoc: { $0.select(1) })
        let number = Var(1), dog = Dog(), author = Dog()
        dog.observe(number).select(Update(1, 2)).receive { dog.hear("received") }
        dog.observe(number).select(Update(1, 2)) { by in dog.hear("\(by === author)") }
        for value in [2, 1, 2, 3] { number.set(value, author: author) }
        #expect(dog.heard == ["received", "true", "received", "true"])
    }

    @Test func scanSendsWhatAllAddUpTo() {
        expectNumbers("1 2 3", gives: "1 3 6", standing: { $0.scan(0, +) }, adHoc: { $0.scan(0, +) })
        expectNumbers(
            "1 2", gives: "1 12", standing: { $0.scan("") { $0 + "\($1)" } }, adHoc: { $0.scan("") { $0 + "\($1)" } })
    }

    @Test func pairwiseBeginsWithTheSecond() {
        let show = { @Sendable (pair: (previous: Int, current: Int)) in "\(pair.previous)\(pair.current)" }
        expectNumbers(
            "1 2  3", gives: "  12 23", show: show, standing: { $0.pairwise() }, adHoc: { $0.pairwise() })
    }

    @Test func firstSendsTheFirstThatIsWanted() {
        expectNumbers(
            "1 2 3 4", gives: "  2", standing: { $0.first(where: isEven) }, adHoc: { $0.first(where: isEven) })
    }

    @Test func prefixSendsUntilOneIsNotWantedAndEnds() {
        let isSmall = { @Sendable (number: Int) in number < 3 }
        expectNumbers(
            "1 2 3 1", gives: "1 2", standing: { $0.prefix(while: isSmall) }, adHoc: { $0.prefix(while: isSmall) })
        let messenger = Messenger<Int>(), dog = Dog()
        let observation = dog.observe(messenger).prefix(while: isSmall).receive { _ in }
        messenger.send(2)
        #expect(observation.isLiving)
        messenger.send(3)
        #expect(!observation.isLiving && !messenger.isObserved)
    }

    @Test func dropLeavesOutUntilOneIsWanted() {
        let isSmall = { @Sendable (number: Int) in number < 3 }
        expectNumbers(
            "1 2 3 1", gives: "    3 1", standing: { $0.drop(while: isSmall) }, adHoc: { $0.drop(while: isSmall) })
    }

    @Test func startWithSendsSomeToEachNewObserverFirst() {
        let messenger = Messenger<Int>(), dog = Dog(), numbers = messenger.startWith(8, 9)
        dog.observe(numbers) { dog.hear("a\($0)") }
        messenger.send(1)
        dog.observe(numbers) { dog.hear("b\($0)") }
        messenger.send(2)
        #expect(dog.heard == ["a8", "a9", "a1", "b8", "b9", "a2", "b2"])
    }

    @Test func skipLeavesOutTheFirst() {
        expectNumbers("1 2 3 4", gives: "    3 4", standing: { $0.skip(2) }, adHoc: { $0.skip(2) })
        expectNumbers("1 2", gives: "1 2", standing: { $0.skip(0) }, adHoc: { $0.skip(0) })
    }

    @Test func skipRepeatsLeavesOutWhatIsLikeTheMessageBefore() {
        let bothEven = { @Sendable (one: Int, other: Int) in one % 2 == other % 2 }
        expectNumbers("1 1 2 2 1", gives: "1   2   1", standing: { $0.skipRepeats() }, adHoc: { $0.skipRepeats() })
        expectNumbers(
            "1 3 2 4 5", gives: "1   2   5", standing: { $0.skipRepeats(by: bothEven) },
            adHoc: { $0.skipRepeats(by: bothEven) })
    }

    @Test func uniqueValuesLeavesOutWhatWasSentBefore() {
        expectNumbers("1 2 1 3 2", gives: "1 2   3", standing: { $0.uniqueValues() }, adHoc: { $0.uniqueValues() })
    }

    @Test func withPreviousAddsTheMessageBefore() {
        let show = { @Sendable (pair: (previous: Int?, current: Int)) in "\(pair.previous ?? 0)-\(pair.current)" }
        expectNumbers(
            "1   2   3", gives: "0-1 1-2 2-3", show: show, standing: { $0.withPrevious() }, adHoc: { $0.withPrevious() }
        )
    }

    @Test func takePassesTheFirst() {
        expectNumbers("1 2 3 4", gives: "1 2", standing: { $0.take(2) }, adHoc: { $0.take(2) })
        expectNumbers("1 2", gives: "", standing: { $0.take(0) }, adHoc: { $0.take(0) })
        expectNumbers("1 2", gives: "1", standing: { $0.once() }, adHoc: { $0.once() })
    }

    private func bars(_ count: Int) -> String { String(repeating: "x", count: count) }
    private func isEven(_ number: Int) -> Bool { number % 2 == 0 }
}

@Suite("take and once end their observation") struct TakeTests {
    let messenger = Messenger<Int>(), dog = Dog()

    @Test func theObservationEndsJustBeforeTheLastMessageIsReceived() {
        let begun = Recorder<ObservationHandle>()
        begun.record(dog.observe(messenger).take(2).receive { _ in dog.hear(begun.entries[0].isLiving) })
        messenger.send(1)
        messenger.send(2)
        #expect(dog.heard == ["true", "false"] && !dog.isObserving(messenger))
        #expect(dog.observe(messenger).take(0).receive { _ in }.isLiving == false)
    }

    @Test(arguments: [true, false]) func onceIsOnceWhicheverThreadSends(inOrder: Bool) {
        let received = Recorder<Int>()
        messenger.maintainsMessageOrder = inOrder
        dog.observe(messenger).once().receive { received.record($0) }
        onThreads(4) { [messenger] index in for _ in 0..<100 { messenger.send(index) } }
        #expect(received.count == 1)
    }
}
