// SPDX-License-Identifier: MIT

import SwiftObserver5
import Testing

/// Names of the published code that its document does not show.
@Suite("Published names") struct PublishedNames {
    @Test func numbersAndOptionalNumbersAreNumberValues() {
        func increment<Value: IntValue>(_ value: inout Value) { value.int += 1 }
        func half<Value: FloatValue>(_ value: inout Value) { value.float /= 2 }
        func twice<Value: DoubleValue>(_ value: inout Value) { value.double *= 2 }
        var int = 1, nothing: Int?, float: Float? = 3, double = 1.5
        increment(&int)
        increment(&nothing)
        half(&float)
        twice(&double)
        #expect((int.int, nothing.int, float.float, double.double) == (2, 1, 1.5, 3))
    }

    @Test func stringsAndOptionalStringsCanBeSetAsStrings() {
        var text = "a", nothing: String?
        text.string += "!"
        nothing.string += "!"
        #expect((text, nothing) == ("a!", "!"))
    }

    @Test func aVariableIsDebuggedAsItsValue() {
        #expect(Var("a").debugDescription == "\"a\"")
    }

    @Test func whatAFilterAsksIsAFilterOfTheSource() {
        let isShort: Var<String>.Filter = { $0.new.count < 5 }
        let mapping = Mapping(Var(""), filter: isShort) { $0.new }
        let filter: Var<String>.Filter? = mapping.filter
        #expect(filter?(Change("", "this is too long")) == false)
    }
}
