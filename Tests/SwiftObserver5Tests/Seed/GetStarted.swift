// SPDX-License-Identifier: MIT

import SwiftObserver5
import Testing
import TestSupport

@Suite("Seed: Get Started") struct GetStarted {
    let dog = Dog()

    @Test func anObserverAsksForNothingButToBeAlive() {
        final class Puppy: Observer {
            init(_ sky: Sky, _ dog: Dog) {
                observe(sky) { color in dog.hear(color) }
            }
        }
        let sky = Sky()
        var puppy: Puppy? = Puppy(sky, dog)
        sky.send(.blue)
        withExtendedLifetime(puppy) {}
        puppy = nil
        sky.send(.grey)
        #expect(dog.heard == ["blue"])
    }

    @Test func anObserverStartsUpToThreeObservationsWithOneCombinedCall() {
        let tv = Messenger("dark"), bowl = Messenger(0), doorbell = Messenger<String?>(), number = Var(1)
        dog.observe(tv, bowl, doorbell) { image, food, sound in
            dog.hear("\(image) \(food) \(sound ?? "silence")")
        }
        dog.observe(number, tv) { number, image in dog.hear("\(number.old)>\(number.new) \(image)") }
        bowl.send(2)
        doorbell.send("ring")
        number <- 2
        #expect(dog.heard == ["dark 2 silence", "dark 2 ring", "1>2 dark"])
    }

    @Test func observingDoesNotKeepAnObservableAlive() {
        let leaked = leaks { track in
            dog.observe(track(Var(1))) { dog.hear($0) }
            dog.observe(track(Messenger(1))) { dog.hear($0) }
            dog.observe(track(Var(1).map { $0.new })) { dog.hear($0) }
        }
        #expect(leaked.isEmpty && dog.heard.isEmpty)
    }

    @Test func anyoneCanMakeAnObservableSend() {
        let number = Var(1)
        dog.observe(number) { dog.hear("\($0.old) \($0.new)") }
        number.send()
        number.send(Change(7, 8))
        #expect(dog.heard == ["1 1", "7 8"] && number.value == 1 && number.latestMessage == Change(1, 1))
    }

    /// What is observed in any of the four ways is used in the same way.
    @Test func everyObservableIsUsedTheSameWay() {
        func use<O: Observable>(_ observable: O, _ message: O.Message) -> [String] where O.Message: Equatable {
            let dog = Dog()
            dog.observe(observable) { dog.hear($0 == message) }
            observable.send(message)
            dog.stopObserving(observable)
            observable.send()
            return dog.heard
        }
        #expect(use(Var(1), Change(1, 2)) == ["true"])
        #expect(use(Var(1).new(), 3) == ["true"])
        #expect(use(Messenger(1), 4) == ["true"])
        #expect(use(Sky(), .blue) == ["true"])
        #expect(use(Weak(Sky()), .blue) == ["true"])
    }
}
