// SPDX-License-Identifier: MIT

import Foundation
import SwiftObserver
import Testing

@Suite("Codable") struct CodableTests {
    private final class Model: Codable {
        private(set) var text = Var("String Variable")
    }

    @Test func aModelWithVariablesIsCodedAndDecoded() throws {
        let json = try JSONEncoder().encode(Model())
        #expect(String(decoding: json, as: UTF8.self) == #"{"text":{"storedValue":"String Variable"}}"#)
        let decoded = try JSONDecoder().decode(Model.self, from: json)
        #expect(decoded.text.value == "String Variable")
        decoded.text <- "changed"
        #expect(decoded.text.value == "changed")
    }

    @Test func nilIsCodedAsNull() throws {
        let json = try JSONEncoder().encode(Var<Int?>())
        #expect(String(decoding: json, as: UTF8.self) == #"{"storedValue":null}"#)
        #expect(try JSONDecoder().decode(Var<Int?>.self, from: json).value == nil)
        #expect(try JSONDecoder().decode(Var<Int?>.self, from: Data(#"{"storedValue":5}"#.utf8)).value == 5)
    }

    @Test func aDecodedVariableComparesItsValues() throws {
        let number = try JSONDecoder().decode(Var<Int>.self, from: Data(#"{"storedValue":5}"#.utf8)), dog = Dog()
        var received = 0
        dog.observe(number) { _ in received += 1 }
        number <- 5
        number <- 6
        #expect(received == 1)
    }

    @Test(arguments: [
        "{}", "[]", "5", #"{"storedValue":"text"}"#, #"{"storedValue":null}"#, #"{"storedValue":1.5}"#, "{",
    ])
    func malformedDataThrowsADecodingError(_ json: String) {
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(Var<Int>.self, from: Data(json.utf8)) }
    }
}
