// SPDX-License-Identifier: MIT

import SwiftObserver
import Testing
import TestSupport

@Suite("DeferredVar") struct DeferredVarTests {
    let number = DeferredVar(0), dog = Dog()

    @Test func itsExampleHolds() {
        let level = number
        dog.observe(level) { update in
            level.value = min(update.new, 10)
            dog.hear("\(update.new) \(level.value)")
        }
        level.value = 12
        #expect(dog.heard == ["12 12", "10 10"])
    }

    @Test func nothingOfItIsLeft() {
        let leaked = leaks { track in
            let number = track(DeferredVar<Mortal?>())
            dog.observe(number) { _ in }
            number.value = track(Mortal())
        }
        #expect(leaked.isEmpty)
    }

    @Test func threadsThatSetItWaitTheirTurn() {
        let last = DeferredVar(0)
        nonisolated(unsafe) var isChain = true
        dog.observe(number) { [number] update in
            isChain = isChain && update.old == last.value && number.value == update.new
            last.value = update.new
        }
        onThreads(4) { [number] thread in for count in 1...500 { number.value = thread * 1000 + count } }
        #expect(isChain && number.value == last.value)
    }

    /// What is compared with is what the new value takes the place of (laws 5 and 16).
    @Test func withoutOrderWhatIsSetWhileItComparesIsComparedWithAgain() {
        struct Meddling: Equatable {
            let number: Int
            var meddle: () -> Void = {}
            static func == (one: Meddling, other: Meddling) -> Bool {
                other.meddle()
                return one.number == other.number
            }
        }
        let variable = DeferredVar(Meddling(number: 0))
        variable.maintainsMessageOrder = false
        dog.observe(variable) { dog.hear("\($0.old.number) \($0.new.number)") }
        variable.value = Meddling(number: 1) { variable.value = Meddling(number: 1) }
        #expect(dog.heard == ["0 1"])
    }
}
