// SPDX-License-Identifier: MIT

import SwiftObserver
import Testing
import TestSupport

@Suite("Law 21: combined observation") struct CombinedTests {
    let a = Var(0), b = Var(0), dog = Dog()

    @Test func anyNumberCanBeCombined() {
        let vars = (0..<6).map { Var($0).new() }
        dog.observe(vars[0], vars[1], vars[2], vars[3], vars[4], vars[5]) { a, b, c, d, e, f in
            dog.hear(a + b + c + d + e + f)
        }
        withExtendedLifetime(vars) { vars[1].source <- 100 }
        #expect(dog.heard == ["114"])
    }

    @Test func theAuthorComesLast() {
        let c = Var(3), d = Var(4), e = Var(5), writer = Dog()
        @Sendable func hear(_ author: AnyObject, _ updates: Update<Int>...) {
            dog.hear("\(updates.map(\.new)) \(author === writer)")
        }
        dog.observe(a, b) { hear($2, $0, $1) }
        dog.observe(a, b, c) { hear($3, $0, $1, $2) }
        dog.observe(a, b, c, d) { hear($4, $0, $1, $2, $3) }
        dog.observe(a, b, c, d, e) { hear($5, $0, $1, $2, $3, $4) }
        b.set(9, author: writer)
        #expect(dog.heard == ["[0, 9] true", "[0, 9, 3] true", "[0, 9, 3, 4] true", "[0, 9, 3, 4, 5] true"])
    }

    @Test func itKeepsNoneOfThem() {
        let leaked = leaks { track in
            let mortal = track(Mortal())
            dog.observe(track(Var(1)), track(Var(2)), track(Var(3))) { _, _, _ in withExtendedLifetime(mortal) {} }
        }
        #expect(leaked.isEmpty)
    }

    @Test func theSameObservableMayStandInItTwice() {
        dog.observe(a, a) { dog.hear("\($0.old)>\($0.new) \($1.old)>\($1.new)") }
        a <- 2
        #expect(dog.heard == ["0>2 0>2", "0>2 0>2"])
    }

    @Test func itsHandlerRunsOnOneThreadAtATime() {
        nonisolated(unsafe) var received = 0
        let observation = dog.observe(a, b) { _, _ in received += 1 }
        onThreads(2) { [a, b] index in for round in 1...2_000 { (index == 0 ? a : b) <- round } }
        #expect(received == 4_000)
        observation.stopAndWait()
    }
}
