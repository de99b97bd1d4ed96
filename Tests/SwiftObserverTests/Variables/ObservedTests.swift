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

    @Test func observedPropertiesAreCodedLikeVariables() throws {
        let pet = Pet()
        pet.hunger = 3
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let json = try encoder.encode(pet)
        #expect(String(decoding: json, as: UTF8.self) == #"{"hunger":{"storedValue":3},"name":{"storedValue":null}}"#)
        #expect(try JSONDecoder().decode(Pet.self, from: json).hunger == 3)
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
