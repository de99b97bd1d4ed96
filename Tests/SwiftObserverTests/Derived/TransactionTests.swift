// SPDX-License-Identifier: MIT

import SwiftObserver
import Testing
import TestSupport

/// Law 33.
@Suite("Transactions and snapshots") struct TransactionTests {
    private struct No: Error {}

    @Test func aTransactionIsOneTurnAndReadsWhatItHasSet() {
        let one = Var(1), other = Var(2), dog = Dog()
        let sum = Derived { one.value + other.value }
        dog.listen(to: sum)
        dog.listen(to: one, as: "one")
        let inside = transaction {
            one.value = 10
            other.value = 20
            one.value = 100
            return sum.value
        }
        #expect(inside == 120 && dog.heard.sorted() == ["3>120", "one 1>100"])
    }

    @Test func oneThatThrowsHasNotHappened() {
        let one = Var(1), other = Var(2), dog = Dog()
        dog.listen(to: one)
        #expect(throws: No.self) {
            try transaction { () throws(No) in
                one.value = 10
                other.value = 20
                throw No()
            }
        }
        #expect(one.value == 1 && other.value == 2 && dog.heard == [])
    }

    @Test func oneInsideAnotherJoinsItAndIsTakenBackAlone() {
        let one = Var(1), other = Var(2)
        transaction {
            one.value = 10
            try? transaction {
                other.value = 20
                throw No()
            }
            #expect(other.value == 2)
            transaction { other.value = 3 }
        }
        #expect(one.value == 10 && other.value == 3)
    }

    @Test func oneWhoseReadsAnotherThreadHasChangedRunsAgain() {
        let number = Var(1)
        var calls = 0
        transaction {
            let read = number.value
            calls += 1
            if calls == 1 { onThreads(1) { _ in number.value = 10 } }
            number.value = read + 1
        }
        #expect(calls == 2 && number.value == 11)
    }

    @Test func noMoneyIsLostBetweenAccountsThatTwoThreadsUse() {
        let accounts = (0..<3).map { _ in Var(100) }
        onThreads(2) { index in
            for turn in 0..<500 {
                transaction {
                    let (from, to) = (accounts[(turn + index) % 3], accounts[(turn + index + 1) % 3])
                    from.value -= 1
                    to.value += 1
                }
            }
        }
        #expect(snapshot { accounts.reduce(0) { $0 + $1.value } } == 300)
    }

    @Test func aSnapshotIsOfOneMomentAndPassesOnWhatItsClosureReturnsAndThrows() {
        let one = Var(1), other = Var(2)
        let read = snapshot {
            let first = one.value
            onThreads(1) { _ in
                transaction {
                    one.value = 10
                    other.value = 20
                }
            }
            return (first, other.value)
        }
        #expect(read == (1, 2) && other.value == 20)
        #expect(throws: No.self) { try snapshot { throw No() } }
        #expect(throws: No.self) { try untracked { throw No() } }
    }
}
