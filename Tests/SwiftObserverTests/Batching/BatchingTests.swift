// SPDX-License-Identifier: MIT

import SwiftObserver
import Testing
import TestSupport

@Suite("Batching") struct BatchingTests {
    @Test func aBatchSendsOneUpdateFromTheFirstOldToTheLastNewValue() {
        let number = Var(1), dog = Dog(), author = Dog()
        var updates: [Update<Int>] = [], authors: [AnyObject] = []
        dog.observe(number) { update, by in
            updates.append(update)
            authors.append(by)
        }
        number.batch {
            number <- 2
            #expect(number.value == 2)
            number.set(3, author: author)
            #expect(updates.isEmpty)
        }
        #expect(updates == [Update(1, 3)])
        #expect(isSame(authors[0], author))
        number <- 4
        #expect(updates == [Update(1, 3), Update(3, 4)])
    }

    @Test func aBatchThatChangesNothingInTheEndSendsNothing() {
        let number = Var(1), dog = Dog()
        var received = 0
        dog.observe(number) { _ in received += 1 }
        number.batch {
            number <- 2
            number <- 1
        }
        number.batch {}
        #expect(received == 0)
    }

    @Test func batchesNest() {
        let number = Var(1), dog = Dog()
        var updates: [Update<Int>] = []
        dog.observe(number) { updates.append($0) }
        number.batch {
            number <- 2
            number.batch { number <- 3 }
            #expect(updates.isEmpty)
            number <- 4
        }
        #expect(updates == [Update(1, 4)])
    }

    @Test func severalVariablesSendInTheirOrder() {
        let width = Var(1), height = Var(1), dog = Dog()
        var log: [String] = []
        dog.observe(width) { log.append("width \($0.new)") }
        dog.observe(height) { log.append("height \($0.new)") }
        let result = batch(width, height) {
            height <- 4
            width <- 2
            width <- 3
            return "done"
        }
        #expect(log == ["width 3", "height 4"])
        #expect(result == "done")
    }

    @Test func aBatchEndsWhenItThrows() {
        struct Failure: Error {}
        let number = Var(1), dog = Dog()
        var updates: [Update<Int>] = []
        dog.observe(number) { updates.append($0) }
        #expect(throws: Failure.self) {
            try number.batch {
                number <- 2
                throw Failure()
            }
        }
        #expect(updates == [Update(1, 2)])
    }

    @Test func updatesOfBatchesOnManyThreadsFormAChain() {
        let number = Var(0), dog = Dog()
        nonisolated(unsafe) var updates: [Update<Int>] = []
        dog.observe(number) { updates.append($0) }
        onThreads(4) { index in
            for _ in 0..<500 {
                number.batch {
                    number.update { $0 += 1 }
                    number.update { $0 += 1 }
                }
            }
        }
        #expect(number.value == 4_000)
        #expect(updates.first?.old == 0 && updates.last?.new == 4_000)
        #expect(zip(updates, updates.dropFirst()).allSatisfy { $0.new == $1.old })
    }

    @Test func aBatchKeepsNothing() {
        let leaked = leaks { track in
            let variable = track(Var<Mortal?>()), dog = Dog()
            dog.observe(variable) { _ in }
            variable.batch {
                for _ in 0..<3 { variable.set(track(Mortal()), author: track(Mortal())) }
            }
            variable.beginBatch()
            variable <- track(Mortal())
            variable.endBatch()
        }
        #expect(leaked.isEmpty)
    }
}
