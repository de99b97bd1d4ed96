// SPDX-License-Identifier: MIT

import SwiftObserver5
import Testing
import TestSupport

/// Faults of the published code.
@Suite("Faults that are fixed") struct FaultTests {
    @Test func addingToNothingGivesWhatWasAdded() {
        let int = Var<Int?>(), float = Var<Float?>(), double = Var<Double?>(), string = Var<String?>()
        let maybeInt: Var<Int?>? = Var(), maybeFloat: Var<Float>? = Var(1), maybeString: Var<String?>? = Var()
        int.int += 5
        float.float += 1.5
        double.double -= 2
        string.string += "text"
        maybeInt.int += 5
        maybeFloat.float += 1.5
        maybeString.string += "text"
        #expect(int.value == 5 && float.value == 1.5 && double.value == -2 && string.value == "text")
        #expect(maybeInt?.value == 5 && maybeFloat?.value == 2.5 && maybeString?.value == "text")
    }

    @Test func aChainKeepsItsFilters() {
        let dog = Dog(), number = Var(0)
        let chain = number.new().filter { $0 > 5 }.map { $0 * 2 }.filter { $0 < 20 }.map { "\($0)" }
        dog.observe(chain) { dog.hear($0) }
        for value in [1, 6, 10, 9] { number <- value }
        #expect(dog.heard == ["12", "18"])
        #expect(chain.filter?(Change(0, 4)) == false)
        #expect(chain.filter?(Change(0, 7)) == true)
        #expect(chain.filter?(Change(0, 10)) == false)
    }

    @Test func aChainCallsEachClosureOncePerMessage() {
        var calls: [String] = []
        let dog = Dog(), messenger = Messenger(0)
        let chain = messenger.map { number in
            calls.append("map")
            return number
        }.filter { _ in
            calls.append("filter")
            return true
        }.map { number in
            calls.append("map again")
            return number
        }
        dog.observe(chain) { dog.hear($0) }
        messenger.send(1)
        #expect(calls == ["map", "filter", "map again"])
    }

    @Test func comparisonIsTheSameInGenericCode() {
        func changes<Value>(from old: Value, to new: Value) -> Int {
            let dog = Dog(), variable = Var(old)
            dog.observe(variable) { _ in dog.hear("change") }
            variable <- new
            return dog.heard.count
        }
        final class Reference {}
        struct Plain {}
        let reference = Reference()
        #expect(changes(from: 1, to: 1) == 0)
        #expect(changes(from: "a", to: "b") == 1)
        #expect(changes(from: reference, to: reference) == 0)
        #expect(changes(from: reference, to: Reference()) == 1)
        #expect(changes(from: Plain(), to: Plain()) == 1)
        #expect(changes(from: Optional(1), to: Optional(1)) == 0)
    }
}
