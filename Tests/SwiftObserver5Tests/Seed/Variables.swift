// SPDX-License-Identifier: MIT

import Foundation
import SwiftObserver5
import Testing

@Suite("Seed: Variables") struct Variables {
    @Test func theValueIsSetDirectlyByInitializerAndByArrow() {
        let text = Var<String?>(), number: Variable<Int> = Variable(23)
        #expect(text.value == nil && number.value == 23)
        text.value = "a text"
        number <- 42
        #expect(text.value == "a text" && number.value == 42)
    }

    @Test func variablesAreEquatableAndComparableLikeTheirValues() {
        #expect(Var(1) == Var(1) && Var("a") != Var("b") && Var(1) < Var(2))
    }

    @Test func numbersAreReadAndSetWithoutOptionals() {
        let numVar = Var<Int?>()
        #expect(numVar.value == nil && numVar.int == 0)
        numVar.int += 5
        #expect(numVar.value == 5)
        numVar <- Var(1) + 2
        #expect(numVar.value == 3 && Var(1.5).double == 1.5 && Var<Float?>().float == 0)
        var maybe: Var<Int?>? = Var(1)
        maybe.int += 1
        #expect(maybe?.value == 2)
        maybe = nil
        maybe.int += 1
        #expect(maybe.int == 0)
    }

    @Test func allPairsOfNumbersCanBeCalculatedWith() {
        let int = 6, maybeInt: Int? = 6, intVar = Var(6), maybeIntVar = Var<Int?>(6)
        let intVarMaybe: Var<Int>? = Var(6), maybeBoth: Var<Int?>? = Var(6)
        let sums = [
            int + maybeInt, int + intVar, int + maybeIntVar, int + intVarMaybe, int + maybeBoth,
            maybeInt + intVar, maybeInt + maybeIntVar, maybeInt + intVarMaybe, maybeInt + maybeBoth,
            intVar + maybeIntVar, intVar + intVarMaybe, intVar + maybeBoth,
            maybeIntVar + intVarMaybe, maybeIntVar + maybeBoth, intVarMaybe + maybeBoth,
            maybeInt + int, intVar + int, intVar + intVar, maybeBoth + maybeBoth,
        ]
        #expect(sums == Array(repeating: 12, count: sums.count))
        #expect(intVar - maybeInt == 0)
        #expect(intVar * maybeBoth == 36)
        #expect(maybeIntVar / intVarMaybe == 1)
        #expect(Var(1.5) + Var<Double?>() == 1.5)
    }

    @Test func stringsAreReadAndSetWithoutOptionals() {
        let text = Var<String?>()
        #expect(text.string == "")
        text.string += "a"
        #expect(text.value == "a")
        let maybe: Var<String>? = nil
        #expect(maybe.string == "")
    }

    @Test func variablesOfStringsAreCollections() {
        #expect(Array(Var("abc")) == ["a", "b", "c"] && Var("abc").reversed() == ["c", "b", "a"])
        #expect(Var<String?>("abc").last == "c" && Var<String?>().isEmpty)
    }

    @Test func allPairsOfStringsCanBeConcatenated() {
        let text = "a", maybeText: String? = "a", textVar = Var("a"), maybeTextVar = Var<String?>("a")
        let textVarMaybe: Var<String>? = Var("a"), maybeBoth: Var<String?>? = Var("a")
        let wholes: [String] = [
            text + maybeText, text + textVar, text + maybeTextVar, text + textVarMaybe, text + maybeBoth,
            maybeText + textVar, maybeText + maybeTextVar, maybeText + textVarMaybe, maybeText + maybeBoth,
            textVar + maybeTextVar, textVar + textVarMaybe, textVar + maybeBoth,
            maybeTextVar + textVarMaybe, maybeTextVar + maybeBoth, textVarMaybe + maybeBoth, textVar + text,
        ]
        #expect(wholes == Array(repeating: "aa", count: wholes.count))
    }

    @Test func aVariableSendsItsChangesAndNothingOnBeginning() {
        let dog = Dog(), number = Var(1)
        dog.observe(number) { change in
            dog.hear("\(change.old) \(change.new) \(change.valueChanged)")
            if change.old == change.new { dog.hear("sent by hand") }
        }
        #expect(dog.heard.isEmpty)
        number <- 2
        number <- 2
        number.send()
        #expect(dog.heard == ["1 2 true", "2 2 false", "sent by hand"])
        #expect(number.latestMessage == Change(2, 2))
    }

    @Test func allObserversProcessAChangeBeforeTheNextTakesEffect() {
        let first = Dog(), second = Dog(), number = Var(0)
        first.observe(number) { change in
            first.hear("\(change.old) \(change.new) \(number.value)")
            if change.new < 3 {
                number <- change.new + 1
                number <- 9
                first.hear(number.value)
            }
        }
        second.observe(number) { change in
            second.hear("\(change.old) \(change.new) \(number.value)")
        }
        number <- 1
        #expect(first.heard == ["0 1 1", "1", "1 2 2", "2", "2 9 9", "9 3 3", "3 9 9"])
        #expect(second.heard == ["0 1 1", "1 2 2", "2 9 9", "9 3 3", "3 9 9"])
        #expect(number.value == 9)
    }

    @Test func variablesAreCodable() throws {
        final class Model: Codable {
            private(set) var text = Var("String Variable")
            private(set) var number = Var<Int?>()
        }
        let coder = JSONEncoder()
        coder.outputFormatting = .sortedKeys
        let json = try coder.encode(Model())
        #expect(
            String(data: json, encoding: .utf8)
                == #"{"number":{"storedValue":null},"text":{"storedValue":"String Variable"}}"#)
        let decoded = try JSONDecoder().decode(Model.self, from: json)
        #expect(decoded.text.value == "String Variable")
        #expect(decoded.number.value == nil)
    }
}
