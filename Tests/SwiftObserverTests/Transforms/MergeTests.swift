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
