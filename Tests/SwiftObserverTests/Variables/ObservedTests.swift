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
        var updates: [Update<Int>] = []
        dog.observe(pet.$hunger) { updates.append($0) }
        pet.hunger = 5
        pet.hunger += 1
        pet.hunger = 6
        #expect(pet.hunger == 6)
        #expect(updates == [Update(0, 5), Update(5, 6)])
        #expect(pet.$hunger.value == 6)
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

    @Test func aConstantTakesPartInCombinedObservations() {
        let number = Var(1), limit = Constant(10), dog = Dog()
        var received: [Bool] = []
        dog.observe(number, limit) { update, limit in received.append(update.new > limit) }
        number <- 5
        number <- 11
        #expect(received == [false, true])
    }

    @Test func aConstantCanBeReplayed() {
        let limit = Constant(10), dog = Dog()
        var received: [Int] = []
        dog.observe(limit, replaying: .latest) { received.append($0) }
        #expect(received == [10])
    }
}
