// SPDX-License-Identifier: MIT

import SwiftObserver
import Testing

@MainActor @Suite("Documentation: Getting Started") struct GettingStartedTests {
    final class Dog: Observer {
        let receiver = Receiver()
    }

    final class Model: SwiftObserver.Observable {
        enum Event { case willUpdate, didUpdate }

        func update() {
            send(.willUpdate)
            send(.didUpdate)
        }

        let messenger = Messenger<Event>()
    }

    final class Cat: Codable {
        @Observed var hunger = 0
    }

    private let dog = Dog()

    @Test func observe() {
        var received: [String] = [], log: [String] = [], seen: [Int] = []

        let textMessenger = Messenger<String>()

        dog.observe(textMessenger) { text in
            received.append(text)
        }

        textMessenger.send("my text message")
        #expect(received == ["my text message"])

        let hunger = Var(3)

        dog.observe(hunger) { update in
            log.append("from \(update.old) to \(update.new)")
        }

        hunger <- 5
        hunger <- 5
        #expect(log == ["from 3 to 5"])

        dog.observe(hunger, replaying: .latest) { update in
            seen.append(update.new)
        }
        #expect(seen == [5])
    }

    @Test func properties() {
        var meows: [Int] = []
        let cat = Cat()
        dog.observe(cat.$hunger) { update in
            meows.append(update.new)
        }

        cat.hunger = 5
        #expect(meows == [5] && cat.hunger == 5)
    }

    @Test func beObserved() {
        let model = Model()
        var events: [Model.Event] = []
        dog.observe(model) { events.append($0) }
        model.update()
        #expect(events == [.willUpdate, .didUpdate])
    }

    @Test func transform() {
        let hunger = Var(0)
        var barks: [Bool] = [], howls = 0

        let isHungry = hunger.new().map { $0 > 7 }
        dog.observe(isHungry) { barks.append($0) }

        dog.observe(hunger).new().filter { $0 > 7 }.receive { _ in howls += 1 }

        hunger <- 5
        hunger <- 8
        #expect(barks == [false, true] && howls == 1)
    }

    @Test func combine() {
        let hunger = Var(0), thirst = Var(1)
        var needs: [Int] = []
        dog.observe(hunger, thirst) { hunger, thirst in
            needs.append(hunger.new + thirst.new)
        }
        hunger <- 5
        thirst <- 2
        #expect(needs == [6, 7])
    }

    @Test func authors() {
        let hunger = Var(0)
        var surprises: [Int] = []
        hunger.set(9, author: dog)

        dog.observe(hunger).notFrom(dog) { update in
            surprises.append(update.new)
        }
        hunger.set(8, author: dog)
        hunger <- 7
        #expect(surprises == [7])
    }

    @Test func stop() {
        let hunger = Var(0)
        let observation = dog.observe(hunger) { _ in }
        observation.stop()
        dog.stopObserving(hunger)
        dog.stopObserving()
        #expect(!hunger.isObserved)
    }
}
