// SPDX-License-Identifier: MIT

import SwiftObserver
import Testing
import TestSupport

@Suite("A binding both ways") struct TwoWayBindingTests {
    let one = Var(1), other = Var(2), text = Var(""), dog = Dog()

    @Test func theFirstHasItsWayAndThenEachFollowsTheOther() {
        one.bind(to: other, both: true)
        #expect(other.value == 1)
        one <- 3
        #expect(other.value == 3)
        other <- 4
        #expect(one.value == 4)
    }

    @Test func aClosureAndItsInverseConvert() {
        one.bind(to: text, convert: { "\($0)" }, back: { Int($0) })
        #expect(text.value == "1")
        text <- "25"
        #expect(one.value == 25)
    }

    @Test func whatHasNoInverseStaysWhereItIs() {
        one.bind(to: text, convert: { "\($0)" }, back: { Int($0) })
        text <- "many"
        #expect(one.value == 1 && text.value == "many")
        one <- 2
        #expect(text.value == "2")
    }

    @Test func whatHasBeenCopiedDoesNotComeBack() {
        let updates = Recorder<String>()
        one.bind(to: text, convert: { "\($0)" }, back: { Int($0) })
        dog.observe(text).new { updates.record("text \($0)") }
        dog.observe(one).new { updates.record("number \($0)") }
        text <- "007"
        #expect(one.value == 7 && text.value == "007")
        #expect(updates.entries == ["number 7", "text 007"])
    }

    @Test func valuesThatCannotBeComparedMakeNoLoop() {
        struct Point { var x = 0 }
        let one = Var(Point()), other = Var(Point()), count = Var(0)
        dog.observe(one) { _ in count.update { $0 += 1 } }
        one.bind(to: other, both: true)
        other <- Point(x: 1)
        one <- Point(x: 2)
        #expect(count.value == 2 && other.value.x == 2)
    }

    @Test func afterStopNothingIsCopied() {
        let binding = one.bind(to: other, both: true)
        #expect(binding.stop())
        one <- 3
        other <- 4
        #expect(one.value == 3 && other.value == 4)
        #expect(!one.isObserved && !other.isObserved && !binding.isLiving)
    }

    @Test func neitherSideIsKeptAndEitherEndsIt() {
        let tracker = Tracker()
        var first: Var<Int>? = tracker(Var(1)), second: Var<Int>? = tracker(Var(2))
        let binding = first!.bind(to: second!, both: true)
        first = nil
        #expect(tracker.living.count == 1 && !binding.isLiving && !second!.isObserved)
        first = tracker(Var(1))
        first!.bind(to: second!, both: true)
        second = nil
        #expect(tracker.living.count == 1 && !first!.isObserved)
    }

    @Test func nothingIsLeft() {
        #expect(
            leaks { track in
                let one = track(Var(1)), captured = track(Mortal())
                one.bind(
                    to: track(Var("")), convert: { number in withExtendedLifetime(captured) { "\(number)" } },
                    back: { Int($0) })
            } == [])
    }

    @Test func whateverThreadsSetBothAgreeInTheEnd() {
        for _ in 0..<20 {
            let one = Var(0), other = Var(0)
            one.bind(to: other, both: true)
            onThreads(2) { thread in
                for number in 1...200 { if thread == 0 { one <- number } else { other <- -number } }
            }
            #expect(one.value == other.value)
        }
    }

    @Test func aTransactionIsCopiedAfterItsCommit() {
        one.bind(to: other, both: true)
        transaction {
            one.value = 5
            #expect(other.value == 1)
        }
        #expect(other.value == 5)
    }

    @Test func aPictureShowsIt() {
        one.bind(to: other, both: true)
        #expect(graphDOT(one).contains("Var<Int>"))
    }
}
