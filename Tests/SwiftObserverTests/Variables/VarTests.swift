// SPDX-License-Identifier: MIT

import SwiftObserver
import Testing
import TestSupport

@Suite("Var") struct VarTests {
    @Test func anOptionalVariableIsSetIfThereIsOne() {
        let one: Var<Int>? = Var(1), none: Var<Int>? = nil
        one <- 2
        none <- 2
        #expect(one?.value == 2)
        #expect(none == nil)
    }

    @Test func variablesCompareAsTheirValues() {
        #expect(Var(1) == Var(1))
        #expect(Var(1) != Var(2))
        #expect(Var("a") < Var("b"))
        #expect([Var(2), Var(1)].min()?.value == 1)
        #expect(Set([Var(1), Var(1), Var(2)]).count == 2)
    }

    @Test func aVariableIsDescribedByItsValue() {
        #expect("\(Var(1))" == "1")
        #expect("\(Var("a"))" == "a")
        #expect(Var<Int?>().description == "nil")
        #expect("\(Var([1, 2]))" == "[1, 2]")
    }

    @Test func aVariableAsksNothingOfItsValue() {
        struct Plain { var count = 0 }
        let plain = Var(Plain()), function = Var({ 1 })
        plain.update { $0.count += 1 }
        #expect(plain.value.count == 1)
        #expect(function.value() == 1)
    }

    @Test func anUpdateIsEquatableWhenItsValueIs() {
        #expect(Update(1, 2) == Update(1, 2))
        #expect(Update(1, 2) != Update(2, 2))
        #expect(Update(1, 2).isChange && !Update(2, 2).isChange)
        #expect(Set([Update(1, 2), Update(1, 2)]).count == 1)
    }

    @Test func settingInsideAnUpdateOfItselfIsNotLost() {
        let number = Var(1)
        number.update {
            if number.value == 1 { number <- 10 }
            $0 += 1
        }
        #expect(number.value == 11)
    }
}
