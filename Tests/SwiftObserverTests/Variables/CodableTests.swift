// SPDX-License-Identifier: MIT

import Foundation
import SwiftObserver
import Testing

@Suite("Codable") struct CodableTests {
    @Test func nilIsCodedAsNull() throws {
        let json = try JSONEncoder().encode(Var<Int?>())
        #expect(String(decoding: json, as: UTF8.self) == #"{"storedValue":null}"#)
        #expect(try JSONDecoder().decode(Var<Int?>.self, from: json).value == nil)
        #expect(try JSONDecoder().decode(Var<Int?>.self, from: Data(#"{"storedValue":5}"#.utf8)).value == 5)
    }

    @Test func aDecodedVariableComparesItsValues() throws {
        let number = try JSONDecoder().decode(Var<Int>.self, from: Data(#"{"storedValue":5}"#.utf8)), dog = Dog()
        dog.listen(to: number)
        number <- 5
        number <- 6
        #expect(dog.heard == ["5>6"])
    }

    @Test(arguments: [
        "{}", "[]", "5", #"{"storedValue":"text"}"#, #"{"storedValue":null}"#, #"{"storedValue":1.5}"#, "{",
    ])
    func malformedDataThrowsADecodingError(_ json: String) {
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(Var<Int>.self, from: Data(json.utf8)) }
    }
}
