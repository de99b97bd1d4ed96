// SPDX-License-Identifier: MIT

import Foundation
import SwiftObserver
import Testing
import TestSupport

@Suite("Observed properties and constants") struct ObservedTests {
    private final class Pet: Codable {
        @Observed var hunger = 0
        @Observed var name: String?
    }

    @Test func anObservedPropertyIsReadAndSetLikeAnyOther() {
        let pet = Pet(), dog = Dog()
        dog.listen(to: pet.$hunger)
        pet.hunger = 5
        pet.hunger += 1
        pet.hunger = 6
        #expect(pet.hunger == 6 && pet.$hunger.value == 6)
        #expect(dog.heard == ["0>5", "5>6"])
    }

    private final class PlainPet: Codable {
        var hunger = 0
        var name: String?
    }

    private func json(_ pet: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return String(decoding: try encoder.encode(pet), as: UTF8.self)
    }

    private func decoded<Pet: Decodable>(_ type: Pet.Type, _ json: String) throws -> Pet {
        try JSONDecoder().decode(Pet.self, from: Data(json.utf8))
    }

    @Test(arguments: [nil, "Rex"]) func observedPropertiesAreEncodedAsPlainOnes(_ name: String?) throws {
        let pet = Pet(), plain = PlainPet()
        (pet.hunger, pet.name) = (3, name)
        (plain.hunger, plain.name) = (3, name)
        #expect(try json(pet) == json(plain))
    }

    @Test(arguments: [
        #"{"hunger":3,"name":"Rex"}"#, #"{"hunger":3,"name":null}"#, #"{"hunger":3}"#, #"{"name":"Rex"}"#,
        #"{"hunger":"much"}"#, #"{"hunger":3,"name":{}}"#, #"{"hunger":null}"#,
    ])
    func observedPropertiesAreDecodedAsPlainOnes(_ json: String) throws {
        let plain = try? decoded(PlainPet.self, json), pet = try? decoded(Pet.self, json)
        #expect((pet == nil) == (plain == nil))
        #expect(pet?.hunger == plain?.hunger && pet?.name == plain?.name)
    }

    @Test func whatWasEncodedAsAVariableIsDecodedToo() throws {
        let pet = try decoded(Pet.self, #"{"hunger":{"storedValue":3},"name":{"storedValue":null}}"#)
        #expect(pet.hunger == 3 && pet.name == nil)
        #expect(try decoded(Pet.self, #"{"hunger":3,"name":{"storedValue":"Rex"}}"#).name == "Rex")
    }

    /// A value may look like a variable.
    @Test func aValueWithAStoredValueOfItsOwnIsDecoded() throws {
        final class Shelf: Codable { @Observed var counts = ["a": 1] }
        let shelf = try decoded(Shelf.self, #"{"counts":{"storedValue":7}}"#)
        #expect(shelf.counts == ["storedValue": 7])
        #expect(try decoded(Shelf.self, json(shelf)).counts == ["storedValue": 7])
    }

    @Test func observedPropertiesOfAnActorsClassStayThere() async {
        @MainActor final class Screen { @Observed var title = "a" }
        let title = await MainActor.run {
            let screen = Screen()
            screen.title += "b"
            return screen.title
        }
        #expect(title == "ab")
    }

    @Test func aConstantIsCombinedAndReplayed() {
        let number = Var(1), limit = Constant(10), dog = Dog()
        dog.observe(number, limit) { update, limit in dog.hear(update.new > limit) }
        number <- 5
        number <- 11
        dog.observe(limit, replaying: .latest) { dog.hear($0) }
        #expect(dog.heard == ["false", "true", "10"])
    }
}
