// SPDX-License-Identifier: MIT

import Foundation
import SwiftObserver5
import Testing
import TestSupport

@Suite("Bad input") struct BadInputTests {
    @Test func stoppingWhatDoesNotObserveDoesNothing() {
        let dog = Dog(), number = Var(1)
        dog.stopObserving()
        dog.stopObserving(number)
        dog.stopObserving(nil as Var<Int>?)
        number.stopObservations()
        number.stopObservations()
        number.stopAbandonedObservations()
        dog.observe(number) { dog.hear($0.new) }
        dog.stopObserving(Var(1))
        number <- 2
        #expect(dog.heard == ["2"])
    }

    @Test func assigningToNoVariableDoesNothing() {
        let none: Var<Int>? = nil
        none <- 5
        #expect(none == nil)
    }

    @Test func aCombinedObservationFallsSilentWhenOneOfItsObservablesDies() {
        let dog = Dog(), text = Var("a")
        var number: Var<Int>? = Var(1)
        dog.observe(number!, text) { dog.hear("\($0.new) \($1.new)") }
        text <- "b"
        number = nil
        text <- "c"
        #expect(dog.heard == ["1 b"])
    }

    @Test func aCombinedObservationOfOneThingTwiceCallsTwice() {
        let dog = Dog(), number = Var(1)
        dog.observe(number, number) { dog.hear("\($0.new) \($1.new)") }
        number <- 2
        #expect(dog.heard == ["2 2", "2 2"])
    }

    @Test func stoppingOnePartOfACombinedObservationLeavesTheOthers() {
        let dog = Dog(), number = Var(1), text = Var("a")
        dog.observe(number, text) { dog.hear("\($0.new) \($1.new)") }
        dog.stopObserving(number)
        number <- 2
        text <- "b"
        #expect(dog.heard == ["2 b"])
        dog.stopObserving()
        text <- "c"
        #expect(dog.heard == ["2 b"])
    }

    @Test func whatIsNoVariableCannotBeDecoded() {
        #expect(throws: DecodingError.self) { try decode("{}") }
        #expect(throws: DecodingError.self) { try decode(#"{"storedValue": "text"}"#) }
        #expect(throws: DecodingError.self) { try decode(#"{"storedValue": null}"#) }
        #expect(throws: DecodingError.self) { try decode("1") }
    }

    private func decode(_ json: String) throws -> Var<Int> {
        try JSONDecoder().decode(Var<Int>.self, from: Data(json.utf8))
    }

    @Test func anObservableObjectHasToSayWhatItsLatestMessageIs() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            final class Silent: ObservableObject<Int> {}
            Silent().send()
        }
        #expect(isSaid("Silent does not say what its latest message is", in: result?.standardErrorContent))
    }
}
