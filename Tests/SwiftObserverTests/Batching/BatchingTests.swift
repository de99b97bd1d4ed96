// SPDX-License-Identifier: MIT

import SwiftObserver
import Testing
import TestSupport

@Suite("Batching") struct BatchingTests {
    let number = Var(1), dog = Dog()

    init() { dog.listen(to: number) }

    @Test func severalVariablesSendInTheirOrder() {
        let height = Var(1)
        dog.listen(to: height, as: "height")
        let result = batch(number, height) {
            height <- 4
            number <- 2
            number <- 3
            return "done"
        }
        #expect(dog.heard == ["1>3", "height 1>4"] && result == "done")
    }

    @Test func aBatchEndsWhenItThrows() {
        #expect(throws: CancellationError.self) {
            try number.batch {
                number <- 2
                throw CancellationError()
            }
        }
        #expect(dog.heard == ["1>2"])
    }

    @Test func updatesOfBatchesOnManyThreadsFormAChain() {
        let number = Var(0)
        nonisolated(unsafe) var updates: [Update<Int>] = []
        dog.observe(number) { updates.append($0) }
        onThreads(4) { index in
            for _ in 0..<500 {
                number.batch { for _ in 0..<2 { number.update { $0 += 1 } } }
            }
        }
        #expect(number.value == 4_000 && updates.first?.old == 0 && updates.last?.new == 4_000)
        #expect(zip(updates, updates.dropFirst()).allSatisfy { $0.new == $1.old })
    }

    @Test func aBatchKeepsNothing() {
        let leaked = leaks { track in
            let variable = track(Var<Mortal?>())
            dog.observe(variable) { _ in }
            variable.batch { for _ in 0..<3 { variable.set(track(Mortal()), author: track(Mortal())) } }
            variable.beginBatch()
            variable <- track(Mortal())
            variable.endBatch()
        }
        #expect(leaked.isEmpty)
    }
}
