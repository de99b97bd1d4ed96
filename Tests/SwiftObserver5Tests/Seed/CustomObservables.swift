// SPDX-License-Identifier: MIT

import SwiftObserver5
import Testing
import TestSupport

@Suite("Seed: Custom Observables") struct CustomObservables {
    final class Minimal: CustomObservable {
        let messenger = Messenger<String?>()
        typealias Message = String?
    }

    class EventModel: CustomObservable {
        let messenger = Messenger(Event.didInit)
        typealias Message = Event

        enum Event { case didInit, didUpdate, willDeinit }
    }

    @Test func aCustomObservableNeedsAMessengerOnly() {
        final class Sub: EventModel {}
        let dog = Dog(), minimal = Minimal(), model = Sub()
        dog.observe(minimal) { dog.hear($0 ?? "nil") }
        dog.observe(model) { dog.hear($0) }
        minimal.send("text")
        minimal.send(nil)
        model.send(.didUpdate)
        #expect(dog.heard == ["text", "nil", "didUpdate"])
        #expect(model.latestMessage == .didUpdate)
    }

    final class Talking: CustomObservable {
        init(_ dog: Dog) {
            dog.observe(self) { dog.hear($0 ?? "nil") }
            send("did init")
        }
        func foo() { send(nil) }
        deinit { send("will deinit") }

        let messenger = Messenger<String?>()
        typealias Message = String?
    }

    @Test func messagesAreSentWheneverTheObservableLikes() {
        let dog = Dog()
        var model: Talking? = Talking(dog)
        model?.foo()
        model = nil
        #expect(dog.heard == ["did init", "nil", "will deinit"])
    }

    final class NoDuplication: CustomObservable {
        init() {
            remembersLatestMessage = false
        }

        let messenger = Messenger<String?>()
        typealias Message = String?
    }

    @Test func theObservableControlsWhatIsRemembered() {
        let minimal = Minimal(), none = NoDuplication()
        minimal.send("text")
        none.send("text")
        #expect(minimal.latestMessage == "text")
        #expect(none.latestMessage == nil)
        minimal.messenger.latestMessage = nil
        #expect(minimal.latestMessage == nil)
    }

    final class StateModel: CustomObservable {
        var latestMessage: Change<String?> {
            Change(state, state)
        }

        var state: String? {
            didSet {
                if oldValue != state {
                    send(Change(oldValue, state))
                }
            }
        }

        let messenger = Messenger(Change<String?>())
    }

    @Test func stateIsMadeObservable() {
        let dog = Dog(), model = StateModel(), number = Var(1)
        dog.observe(model).new().unwrap("nil") { dog.hear($0) }
        dog.observe(model, number) { change, number in dog.hear("\(change.new ?? "nil") \(number.new)") }
        model.state = "a"
        number <- 2
        #expect(dog.heard == ["a", "a 1", "a 2"])
        #expect(model.latestMessage == Change("a", "a"))
    }

    @Test func anObservableObjectIsMoreOfTheSameKind() {
        final class Clock: ObservableObject<Int> {
            var time = 0
            override var latestMessage: Int { time }
        }
        let dog = Dog(), clock = Clock(), isLate = clock.map { $0 > 5 }
        dog.observe(clock) { dog.hear($0) }
        dog.observe(isLate) { dog.hear($0) }
        clock.time = 7
        clock.send()
        #expect(dog.heard == ["true", "7"] || dog.heard == ["7", "true"])
    }
}
