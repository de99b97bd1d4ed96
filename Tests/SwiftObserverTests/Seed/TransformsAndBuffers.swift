// SPDX-License-Identifier: MIT

import SwiftObserver
import Testing
import TestSupport

@MainActor @Suite("Seed: Transforms") struct Transforms {
    @Test("Create Transforms: a transform sends what is made of its source's messages") func create() {
        let text = Var<String?>(), dog = Dog()
        let textLength = text.map { $0.new?.count ?? 0 }
        let alone = Var<String?>().map { $0.new?.count ?? 0 }
        dog.observe(textLength) { dog.hear($0) }
        dog.observe(alone) { dog.hear($0) }
        text <- "abc"
        alone.source <- "ab"
        #expect(dog.heard == ["3", "2"])
    }

    @Test("Create Transforms: a source can be held weakly") func weakSource() {
        let toString = Weak(Var<Int?>()).new().unwrap(0).map { "\($0)" }
        #expect(toString.source.source.source.observable == nil)
    }

    @Test("Chain Transforms") func chain() {
        let mapping = Var<Int?>().map { $0.new ?? 0 }.filter { $0 > 9 }.map { "\($0)" }
        let dog = Dog()
        dog.observe(mapping) { dog.hear($0) }
        for number in [5, 10, nil, 11] { mapping.source.source.source <- number }
        #expect(dog.heard == ["10", "11"])
    }

    @Test("New, Unwrap, Filter") func prebuilt() {
        let text = Var<String?>().new(), title = Var<String?>().new().unwrap("untitled")
        let errorCode = Var<Int?>().new().unwrap(), shortText = Var("").new().filter { $0.count < 5 }
        let dog = Dog()
        dog.observe(text) { dog.hear("text \($0 ?? "nil")") }
        dog.observe(title) { dog.hear("title \($0)") }
        dog.observe(errorCode) { dog.hear("code \($0)") }
        dog.observe(shortText) { dog.hear("short \($0)") }
        text.source <- "a"
        title.source.source <- "b"
        title.source.source <- nil
        errorCode.source.source <- 1
        errorCode.source.source <- nil
        shortText.source.source <- "long text"
        shortText.source.source <- "abc"
        #expect(dog.heard == ["text a", "title b", "title untitled", "code 1", "short abc"])
    }

    @Test("Select: the closure takes no arguments") func select() {
        let notifier = Var("").new().select("my notification"), observer = Dog()
        var count = 0
        observer.observe(notifier) {
            count += 1
        }
        notifier.source.source <- "my notification"
        notifier.source.source <- "another"
        #expect(count == 1)
    }
}

@MainActor @Suite("Seed: Ad Hoc Transformation") struct AdHocTransformation {
    private enum Event { case wasFilled, wasEmptied }

    @Test("A transform that is not held dies") func unheldTransform() {
        let bowl = Messenger<Event>(), dog = Dog()
        var received = 0
        dog.observe(bowl.map({ $0 == .wasFilled })) { _ in received += 1 }
        bowl.send(.wasFilled)
        #expect(received == 0)
    }

    @Test("The observation itself can be mapped") func mapTheObservation() {
        let bowl = Messenger<Event>(), dog = Dog()
        dog.observe(bowl).map({ $0 == .wasFilled }) { bowlWasFilled in
            if bowlWasFilled { dog.hear(bowlWasFilled) }
        }
        dog.observe(bowl).map {
            $0 == .wasFilled
        }.receive {
            if $0 { dog.hear($0) }
        }
        bowl.send(.wasFilled)
        bowl.send(.wasEmptied)
        #expect(dog.heard == ["true", "true"])
    }

    @Test("Transformations are chained") func chain() {
        let number = Var(42), observer = Dog()
        observer.observe(number).new().map {
            "\($0)"
        }.filter {
            $0.count > 1
        }.map {
            Int.init($0)
        }.filter {
            $0 != nil
        }.unwrap {
            observer.hear($0)
        }
        for value in [5, 10, 7, 123] { number <- value }
        #expect(observer.heard == ["10", "123"])
    }

    @Test("A select closure takes no arguments") func select() {
        enum Color { case blue, red }
        let sky = Messenger<Color>(), dog = Dog()
        var walks = 0
        dog.observe(sky).select(.blue) {
            walks += 1
        }
        sky.send(.red)
        sky.send(.blue)
        #expect(walks == 1)
    }
}

@MainActor @Suite("Seed: Advanced Observables") struct AdvancedObservables {
    private final class Model: BufferedObservable {
        var latestMessage: Update<String> {
            Update(state, state)
        }

        var state: String = "" {
            didSet {
                if state != oldValue {
                    send(Update(oldValue, state))
                }
            }
        }

        let messenger = Messenger<Update<String>>()
    }

    @Test("Message Buffering: variables, mappings of what is buffered, and custom observables") func buffering() {
        let number = Var(5), model = Model()
        #expect(number.latestMessage == Update(5, 5))
        #expect(number.new().map { "\($0)" }.latestMessage == "5")
        #expect(number.map { Optional($0.new) }.unwrap(0).latestMessage == 5)
        model.state = "a"
        #expect(model.new().latestMessage == "a")
        func isBuffered<O: SwiftObserver.Observable>(_ observable: O) -> Bool { observable is any BufferedObservable }
        #expect(isBuffered(number.new()) && isBuffered(model))
        #expect(!isBuffered(number.filter { _ in true }) && !isBuffered(number.filter { _ in true }.new()))
        #expect(!isBuffered(Var<Int?>().new().unwrap()) && !isBuffered(Weak(number)))
    }

    @Test("State Changes: Var can be rebuilt") func stateChanges() {
        let model = Model(), number = Var(1), dog = Dog()
        dog.observe(model) { dog.hear("\($0.old)>\($0.new)") }
        dog.observe(model, number) { text, number in dog.hear("\(text.new) \(number.new)") }
        model.state = "a"
        model.state = "a"
        number <- 2
        model.send()
        #expect(dog.heard == [">a", "a 1", "a 2", "a>a", "a 2"])
    }

    @Test("Weak Reference: Weak is a complete substitute") func weakReference() {
        let number = Var(12), controller = Dog()
        let weakNumber = Weak(number)
        var updates: [Update<Int>] = []
        controller.observe(weakNumber) { message in updates.append(message) }
        var weakNumbers = [Weak<Var<Int>>]()
        weakNumbers.append(weakNumber)
        number <- 13
        #expect(updates == [Update(12, 13)])
        #expect(weakNumber.observable != nil)
        #expect(weakNumbers[0].observable?.value == 13)
    }
}
