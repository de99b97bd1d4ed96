// SPDX-License-Identifier: MIT

import SwiftObserver
import Testing
import TestSupport

@Suite("merge") struct MergeTests {
    let one = Messenger<Int>(), other = Var(0), dog = Dog(), author = Dog()

    @Test func theMessagesOfAllComeAsTheyAreSent() {
        let merged = one.merge(other.new(), one.map { $0 * 10 })
        dog.observe(merged) { dog.hear("\($0) \(isSame($1, author))") }
        one.send(1, author: author)
        other.set(5, author: author)
        one.send(2, author: author)
        // The mapping has observed its source before the merger did.
        #expect(dog.heard == ["10 true", "1 true", "5 true", "20 true", "2 true"])
        #expect(merged.sources.count == 3)
    }

    @Test func chainsAreMergedAdHocInTheOrderOfTheirMessages() {
        dog.observe(one).map { "one \($0)" }.merge(dog.observe(other).new().map { "other \($0)" }).receive {
            dog.hear("\($0) \(isSame($1, author))")
            if $0 == "one 1" { one.send(2, author: author) }
        }
        one.send(1, author: author)
        other.set(5, author: author)
        #expect(dog.heard == ["one 1 true", "one 2 true", "other 5 true"])
    }

    @Test func whatEndsInAMergeLosesNothingAndTheOthersGoOn() {
        let observation = dog.observe(one).take(2).merge(dog.observe(other).new().prefix { $0 < 9 }).receive {
            dog.hear($0)
            // Comes in while this is in hand, and ends its part.
            if $0 == 1 { one.send(2) }
            if $0 == 5 { other.value = 6 }
        }
        one.send(1)
        #expect(observation.isLiving && !one.isObserved)
        one.send(3)
        other.value = 5
        #expect(observation.isLiving)
        other.value = 9
        #expect(!observation.isLiving && !other.isObserved)
        #expect(dog.heard == ["1", "2", "5", "6"])
    }

    @Test func whatIsStoppedInAMergeBringsNothingThatWaits() {
        dog.observe(one).take(2).merge(dog.observe(other).new()).receive {
            dog.hear($0)
            guard $0 == 5 else { return }
            one.send(1)
            one.send(2)
            dog.stopObserving(one)
        }
        other.value = 5
        #expect(dog.heard == ["5"])
    }

    @Test(arguments: [false, true]) func anAdHocMergeEndsAsAWholeAndLeavesNothing(withItsObserver: Bool) {
        let leaked = leaks { track in
            let one = track(Messenger<Int>()), other = track(Messenger<Int>())
            nonisolated(unsafe) var dog: Dog? = track(Dog()), sum = 0
            let observation = dog!.observe(one).merge(dog!.observe(other)).filter { $0 > 0 }.receive { sum += $0 }
            one.send(1)
            other.send(2)
            other.send(-1)
            if withItsObserver { dog = nil } else { #expect(observation.stop()) }
            #expect(!observation.isLiving && !one.isObserved && !other.isObserved)
            one.send(3)
            #expect(sum == 3)
        }
        #expect(leaked.isEmpty)
    }

    @Test func aMergerKeepsItsSourcesAndLeavesNothing() {
        let leaked = leaks { track in
            let one = track(Messenger<Int>()), merged = track(one.merge(track(Messenger<Int>())))
            track(Dog()).listen(to: merged)
            one.send(1)
        }
        #expect(leaked.isEmpty)
    }

    @Test(arguments: [false, true]) func messagesOfSeveralThreadsComeOneAtATime(isAdHoc: Bool) {
        let sources = (0..<3).map { _ in Messenger<Int>() }, merged = Merger(sources)
        nonisolated(unsafe) var sum = 0
        if isAdHoc {
            dog.observe(sources[0]).merge(dog.observe(sources[1]), dog.observe(sources[2])).receive { sum += $0 }
        } else {
            dog.observe(merged) { sum += $0 }
        }
        onThreads(3) { index in for _ in 0..<2_000 { sources[index].send(1) } }
        #expect(sum == 6_000)
    }
}
