// SPDX-License-Identifier: MIT

import SwiftObserver
import Testing

@Suite("Strings") struct StringTests {
    @Test func allPairsOfStringsConcatenate() {
        let a: String = "x", b: String? = "x", c = Var("x"), d = Var<String?>("x"), e: Var<String>? = Var("x")
        let f: Var<String?>? = Var("x")
        let all: [String] = [
            a + a, a + b, a + c, a + d, a + e, a + f, b + a, b + b, b + c, b + d, b + e, b + f,
            c + a, c + b, c + c, c + d, c + e, c + f, d + a, d + b, d + c, d + d, d + e, d + f,
            e + a, e + b, e + c, e + d, e + e, e + f, f + a, f + b, f + c, f + d, f + e, f + f,
        ]
        #expect(all == Array(repeating: "xx", count: 36))
    }

    @Test func literalsConcatenate() {
        let text = Var("b"), optional = Var<String?>("c")
        #expect("a" + text == "ab")
        #expect(text + "c" == "bc")
        #expect("a" + text + optional + "d" == "abcd")
    }

    @Test func nilCountsAsEmpty() {
        let text: String? = nil, variable: Var<String>? = nil, inner = Var<String?>(), both: Var<String?>? = nil
        #expect(text + "a" == "a")
        #expect("a" + inner == "a")
        #expect(variable + both == "")
        #expect(variable.string == "" && inner.string == "" && both.string == "")
    }

    /// Fault 1 of the published code: it left nil.
    @Test func compoundAssignmentWorksOnNil() {
        let text = Var<String?>(), maybe: Var<String?>? = Var()
        text.string += "a"
        maybe.string += "b"
        #expect(text.value == "a" && maybe?.value == "b")
    }

    @Test func aVariableOfAStringIsACollectionOfItsCharacters() {
        let text = Var("Hüt"), optional = Var<String?>("abc"), nothing = Var<String?>()
        #expect(text.count == 3)
        #expect(Array(text) == ["H", "ü", "t"])
        #expect(String(text.reversed()) == "tüH")
        #expect(text[text.index(before: text.endIndex)] == "t")
        #expect(optional.first == "a" && optional.last == "c")
        #expect(optional.dropFirst().map { $0.uppercased() } == ["B", "C"])
        #expect(nothing.isEmpty)
        var characters: [Character] = []
        for character in optional { characters.append(character) }
        #expect(characters == ["a", "b", "c"])
    }

    @Test func textCanBePrintedToAVariable() {
        var text = Var("a"), optional = Var<String?>()
        let dog = Dog()
        dog.listen(to: text)
        print("b", terminator: "", to: &text)
        print(1, 2, separator: "-", terminator: "!", to: &optional)
        #expect(text.value == "ab" && dog.heard == ["a>ab"])
        #expect(optional.value == "1-2!")
    }
}
