// SPDX-License-Identifier: MIT

import SwiftObserver
import Testing
import TestSupport

/// What the document of the published SwiftObserver 6 shows, section by section.
@MainActor @Suite("Seed: Get Started") struct GetStarted {
    private final class Sky: SwiftObserver.Observable {
        nonisolated(unsafe) static let shared = Sky()
        enum Color { case blue, red }
        let messenger = Messenger<Color>()
    }

    @MainActor private final class WakingDog: Observer {
        init(_ sky: Sky) {
            observe(sky) { [unowned self] color in seen.append(color) }
        }

        var seen: [Sky.Color] = []
        let receiver = Receiver()
    }

    private final class OtherSpelling: Observer {
        let receiver = Connections()
    }

    @Test("Observers: any class with a receiver can observe") func observers() {
        let sky = Sky(), dog = OtherSpelling()
        var received = 0
        dog.observe(sky) { _ in received += 1 }
        sky.send(.blue)
        #expect(received == 1)
    }

    @Test("Observers: up to three, and any number, in one combined call") func combinedObservations() {
        let tv = Var("off"), bowl = Var(0), doorbell = Var(false), dog = Dog()
        dog.observe(tv, bowl, doorbell) { image, food, sound in
            dog.hear("\(image.new) \(food.new) \(sound.new)")
        }
        bowl <- 1
        doorbell <- true
        #expect(dog.heard == ["off 1 false", "off 1 true"])
    }

    @Test("Observers: there is no awareness after death") func awareness() {
        let sky = Sky()
        var dog: WakingDog? = WakingDog(sky)
        sky.send(.blue)
        #expect(dog?.seen == [.blue])
        dog = nil
        sky.send(.red)
    }

    @Test("Observables: any can be told to send") func observables() {
        let messenger = Messenger<Int>(), variable = Var(1), dog = Dog()
        let mapper = messenger.map { "\($0)" }
        dog.observe(messenger) { dog.hear("messenger \($0)") }
        dog.observe(variable) { dog.hear("variable \($0.new)") }
        dog.observe(mapper) { dog.hear("mapper \($0)") }
        messenger.send(1)
        variable.send(Update(5, 6))
        mapper.send("by hand")
        #expect(dog.heard == ["mapper 1", "messenger 1", "variable 6", "mapper by hand"])
        #expect(variable.value == 1)
    }

    @Test("Memory management: particular or all observations can be stopped") func memoryManagement() {
        let sky = Sky(), messenger = Messenger<Int>(), dog = Dog()
        var received = 0
        dog.observe(sky) { _ in received += 1 }
        dog.observe(messenger) { _ in received += 1 }
        #expect(dog.isObserving(sky))
        dog.stopObserving(sky)
        sky.send(.blue)
        messenger.send(1)
        dog.stopObserving()
        messenger.send(2)
        #expect(received == 1)
        #expect(!dog.isObserving(messenger))
    }

    @Test("Memory management: leaks are impossible") func leaksAreImpossible() {
        let leaked = leaks { track in
            let sky = track(Sky())
            let dog = track(WakingDog(sky))
            dog.observe(track(Var(1)), track(Var(2))) { _, _ in }
            sky.send(.blue)
        }
        #expect(leaked.isEmpty)
    }
}

@MainActor @Suite("Seed: Messengers") struct Messengers {
    @Test("The Messenger Class: any object can trigger messages") func theMessengerClass() {
        let textMessenger = Messenger<String>(), observer = Dog()
        observer.observe(textMessenger) { textMessage in observer.hear(textMessage) }
        textMessenger.send("my text message")
        #expect(observer.heard == ["my text message"])
    }

    @Test("The Messenger Class: one specific message can be selected") func oneSpecificMessage() {
        let textMessenger = Messenger<String>(), observer = Dog()
        var count = 0
        observer.observe(textMessenger).select("my notification") { count += 1 }
        textMessenger.send("my text message")
        textMessenger.send("my notification")
        #expect(count == 1)
    }
}
