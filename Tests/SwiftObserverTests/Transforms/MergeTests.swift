// SPDX-License-Identifier: MIT

import SwiftObserver
import Testing
import TestSupport

@Suite("merge") struct MergeTests {
    @Test func theMessagesOfAllComeAsTheyAreSent() {
        let one = Messenger<Int>(), other = Var(0), dog = Dog(), author = Dog()
        let merged = one.merge(other.new(), one.map { $0 * 10 })
        var received: [Int] = []
        dog.observe(merged) { message, by in
            received.append(message)
            #expect(isSame(by, author))
        }
        one.send(1, author: author)
        other.set(5, author: author)
        one.send(2, author: author)
        // The mapping has observed its source before the merger did.
        #expect(received == [10, 1, 5, 20, 2])
        #expect(merged.sources.count == 3)
    }

    @Test func chainsAreMergedAdHocInTheOrderOfTheirMessages() {
        let one = Messenger<Int>(), other = Var(0), dog = Dog(), author = Dog()
        var received: [String] = []
        dog.observe(one).map { "one \($0)" }.merge(dog.observe(other).new().map { "other \($0)" }).receive {
            message, by in
            received.append(message)
            #expect(isSame(by, author))
            if message == "one 1" { one.send(2, author: author) }
        }
        one.send(1, author: author)
        other.set(5, author: author)
        #expect(received == ["one 1", "one 2", "other 5"])
    }

    @Test func stoppingAnAdHocMergeStopsAllOfIt() {
        let one = Messenger<Int>(), other = Messenger<Int>(), dog = Dog()
        var received: [Int] = []
        let observation = dog.observe(one).merge(dog.observe(other)).filter { $0 > 0 }.receive { received.append($0) }
        one.send(1)
        other.send(2)
        other.send(-1)
        #expect(observation.stop())
        #expect(!observation.isLiving)
        one.send(3)
        other.send(4)
        #expect(received == [1, 2])
        #expect(!one.isObserved && !other.isObserved)
    }

    @Test func anAdHocMergeEndsWithItsObserverAndLeavesNothing() {
        let leaked = leaks { track in
            let one = track(Messenger<Int>()), other = track(Messenger<Int>())
            var dog: Dog? = track(Dog())
            var count = 0
            dog?.observe(one).merge(dog!.observe(other)).receive { count += $0 }
            other.send(1)
            dog = nil
            other.send(1)
            #expect(count == 1)
            #expect(!one.isObserved && !other.isObserved)
        }
        #expect(leaked.isEmpty)
    }

    @Test func anAdHocMergeOfSeveralThreadsComesOneAtATime() {
        let sources = (0..<3).map { _ in Messenger<Int>() }, dog = Dog()
        nonisolated(unsafe) var sum = 0
        dog.observe(sources[0]).merge(dog.observe(sources[1]), dog.observe(sources[2])).receive { sum += $0 }
        onThreads(3) { index in for _ in 0..<2_000 { sources[index].send(1) } }
        #expect(sum == 6_000)
    }

    @Test func aMergerKeepsItsSourcesAndLeavesNothing() {
        let leaked = leaks { track in
            let one = track(Messenger<Int>())
            let merged = track(one.merge(track(Messenger<Int>())))
            let dog = track(Dog())
            dog.observe(merged) { _ in }
            one.send(1)
        }
        #expect(leaked.isEmpty)
    }

    @Test func messagesOfSeveralThreadsComeOneAtATime() {
        let sources = (0..<3).map { _ in Messenger<Int>() }, dog = Dog()
        let merged = Merger(sources)
        nonisolated(unsafe) var sum = 0
        dog.observe(merged) { sum += $0 }
        onThreads(3) { index in for _ in 0..<2_000 { sources[index].send(1) } }
        #expect(sum == 6_000)
    }
}
