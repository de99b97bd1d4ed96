// SPDX-License-Identifier: MIT

import SwiftObserver
import Testing

/// The README's first Swift program, word for word between the two lines.
@MainActor @Test func theFirstProgramOfTheReadmePrintsWhatItSays() {
    var printed: [String] = []
    func print(_ items: Any...) { printed.append(items.map { "\($0)" }.joined(separator: " ")) }

    // ---
    final class Dog: Observer {
        let receiver = Receiver()
        let hunger = Var(0)
    }

    let dog = Dog()
    dog.observe(dog.hunger) { print("hunger went from", $0.old, "to", $0.new) }

    let isHungry = dog.hunger.new().map { $0 > 7 }
    dog.observe(isHungry).filter { $0 }.receive { _ in print("the dog barks") }

    dog.hunger <- 3
    dog.hunger <- 9
    // ---

    #expect(printed == ["hunger went from 0 to 3", "hunger went from 3 to 9", "the dog barks"])
}
