// SPDX-License-Identifier: MIT

import SwiftObserver5
import Testing
import TestSupport

@Suite("Seed: Get Started") struct GetStarted {
    @Test func anObserverAsksForNothing() {
        struct Nothing {}
        final class Cat: Observer {}
        let cat = Cat(), sky = Sky()
        var count = 0
        cat.observe(sky) { _ in count += 1 }
        sky.send(.blue)
        #expect(count == 1)
    }

    @Test func anObserverStartsUpToThreeObservationsWithOneCombinedCall() {
        let dog = Dog()
        let tv = Messenger("dark"), bowl = Messenger(0), doorbell = Messenger<String?>()
        dog.observe(tv, bowl, doorbell) { image, food, sound in
            dog.hear("\(image) \(food) \(sound ?? "silence")")
        }
        tv.send("cat")
        bowl.send(2)
        doorbell.send("ring")
        #expect(dog.heard == ["cat 0 silence", "cat 2 silence", "cat 2 ring"])
    }

    @Test func twoObservationsCanBeCombined() {
        let dog = Dog(), number = Var(1), text = Var("a")
        dog.observe(number, text) { number, text in
            dog.hear("\(number.old)\(number.new) \(text.old)\(text.new)")
        }
        number <- 2
        text <- "b"
        #expect(dog.heard == ["12 aa", "22 ab"])
    }

    @Test func toProcessMessagesTheObserverMustBeAlive() {
        final class Puppy: Observer {
            init(_ sky: Sky, _ heard: Recorder<Color>) {
                observe(sky) { color in heard.record(color) }
            }
        }
        let sky = Sky(), heard = Recorder<Color>()
        var puppy: Puppy? = Puppy(sky, heard)
        sky.send(.blue)
        withExtendedLifetime(puppy) {}
        puppy = nil
        sky.send(.grey)
        #expect(heard.entries == [.blue])
    }

    @Test func observingDoesNotKeepAnObservableAlive() {
        let dog = Dog()
        let leaked = leaks { track in
            dog.observe(track(Var(1))) { dog.hear($0) }
            dog.observe(track(Messenger(1))) { dog.hear($0) }
            dog.observe(track(Var(1).map { $0.new })) { dog.hear($0) }
        }
        #expect(leaked.isEmpty)
        #expect(dog.heard.isEmpty)
    }

    @Test func anyoneCanMakeAnObservableSend() {
        let dog = Dog(), number = Var(1)
        dog.observe(number) { dog.hear("\($0.old) \($0.new)") }
        number.send()
        number.send(Change(7, 8))
        #expect(dog.heard == ["1 1", "7 8"])
        #expect(number.value == 1)
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
