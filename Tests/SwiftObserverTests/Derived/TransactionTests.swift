// SPDX-License-Identifier: MIT

import SwiftObserver
import Synchronization
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

    @Test func theLatestMessageIsThatOfBeforeUntilItCommits() {
        let number = Var(1), tenfold = Derived { number.value * 10 }, dog = Dog()
        let values = number.new()
        dog.listen(to: number, as: "number")
        dog.listen(to: tenfold, as: "tenfold")
        dog.listen(to: values, as: "new")
        try? transaction {
            number.value = 2
            number.send()
            tenfold.send()
            values.send()
            dog.observe(values, replaying: .latest) { [unowned dog] in dog.hear("late \($0)") }
            throw No()
        }
        #expect(dog.heard.sorted() == ["late 1", "new 1", "new 1", "number 1>1", "tenfold 10>10"])
    }

    @Test func eachUpdateBeginsWhereTheOneBeforeEndedWhileAnotherThreadSendsTheLatest() {
        let number = Var(0), tenfold = Derived { number.value * 10 }, dog = Dog()
        let isBroken = Atomic(false), last = Mutex((number: 0, tenfold: 0))
        dog.observe(number) { update in
            last.withLock {
                if $0.number != update.old { isBroken.store(true, ordering: .relaxed) }
                $0.number = update.new
            }
        }
        dog.observe(tenfold) { update in
            last.withLock {
                if $0.tenfold != update.old { isBroken.store(true, ordering: .relaxed) }
                $0.tenfold = update.new
            }
        }
        onThreads(3) { index in
            for next in 1...1000 {
                switch index {
                case 0: number.value = next
                case 1: number.send()
                default: tenfold.send()
                }
            }
        }
        #expect(!isBroken.load(ordering: .relaxed) && last.withLock { $0 } == (1000, 10000))
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
