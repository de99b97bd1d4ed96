// SPDX-License-Identifier: MIT

import SwiftObserver
import Testing
import TestSupport

/// If a lock were held in one of these, the test would wait for ever.
@Suite("Law 11: no lock is held while foreign code runs") struct Law11 {
    let dog = Dog()

    @Test func aHandlerMayDoWhatOnlyThisVocabularyCan() {
        let messenger = Messenger<Int>()
        dog.observe(messenger) { _ in
            messenger.maintainsMessageOrder = true
            dog.observe(messenger) { _ in }.stopAndWait()
            dog.hear(dog.isObserving(messenger))
        }
        messenger.send(1)
        #expect(dog.heard == ["true"])
    }

    @Test func aValueMayUseItsVariableWhenItDies() {
        let variable = Var<Mortal?>()
        dog.observe(variable) { _ in }
        variable <- Mortal { [unowned variable, dog] in dog.hear(variable.value == nil) }
        variable <- nil
        #expect(dog.heard == ["true"])
    }

    @Test func comparingMayUseTheVariable() {
        struct Nosy: Equatable {
            let number: Int
            var ask: () -> Void = {}

            static func == (one: Nosy, other: Nosy) -> Bool {
                one.ask()
                other.ask()
                return one.number == other.number
            }
        }
        let variable = Var(Nosy(number: 1))
        dog.observe(variable) { dog.hear($0.new.number) }
        variable <- Nosy(number: 2) { [unowned variable] in _ = variable.value }
        variable <- Nosy(number: 2) { [unowned variable] in variable.send() }
        #expect(dog.heard == ["2", "2"])
    }

    @Test func predicatesMappingsAndUpdatesMayUseTheirVariable() {
        let number = Var(1)
        let mapped = number.new().map { $0 + number.value }.filter { _ in number.isObserved }
        dog.listen(to: mapped)
        number.update { $0 += number.value }
        #expect(dog.heard == ["4"])
    }
}
