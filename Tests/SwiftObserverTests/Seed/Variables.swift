// SPDX-License-Identifier: MIT

import Foundation
import SwiftObserver
import Testing

@MainActor @Suite("Seed: Variables") struct Variables {
    @Test("Use Variable Values: a value is set directly, by the initializer and by <-") func useVariableValues() {
        let text = Var<String?>()
        #expect(text.value == nil)
        text.value = "a text"
        let number = Var(23)
        #expect(number.value == 23)
        number <- 42
        #expect(number.value == 42)
        #expect(Var(1) == Var(1) && Var(1) < Var(2))
    }

    @Test("Number Values: nil counts as zero, and variables calculate") func numberValues() {
        let numVar = Var<Int?>()
        #expect(numVar.value == nil)
        #expect(numVar.int == 0)
        numVar.int += 5
        #expect(numVar.value == 5)
        numVar <- Var(1) + 2
        #expect(numVar.value == 3)
        let float: Var<Float>? = Var(1), double: Var<Double?>? = Var()
        #expect(float.float == 1 && double.double == 0)
    }

    @Test("String Values: nil counts as empty, and variables are collections of characters") func stringValues() {
        let text = Var<String?>()
        #expect(text.string == "" && text.isEmpty)
        text <- "ab"
        #expect(text + Var("c") == "abc")
        #expect(Array(text) == ["a", "b"])
        #expect(text.last == "b")
    }

    @Test("Observe Variables: a message holds the old and the new value") func observeVariables() {
        let variable = Var(5), observer = Dog()
        observer.observe(variable) { change in
            let whatsTheBigDifference = change.new - change.old
            observer.hear(whatsTheBigDifference)
        }
        variable <- 8
        #expect(observer.heard == ["3"])
    }

    @Test("Observe Variables: only a change sends, but the latest message can be sent by hand") func sending() {
        let variable = Var(5), observer = Dog()
        var updates: [Update<Int>] = []
        observer.observe(variable) { updates.append($0) }
        variable <- 5
        #expect(updates.isEmpty)
        variable.send()
        #expect(updates == [Update(5, 5)])
    }

    @Test("Variables are Codable") func variablesAreCodable() throws {
        final class Model: Codable {
            private(set) var text = Var("String Variable")
        }
        let modelJSON = try JSONEncoder().encode(Model())
        #expect(String(decoding: modelJSON, as: UTF8.self) == #"{"text":{"storedValue":"String Variable"}}"#)
        #expect(try JSONDecoder().decode(Model.self, from: modelJSON).text.value == "String Variable")
    }
}

@MainActor @Suite("Seed: Custom Observables") struct CustomObservables {
    private final class Minimal: SwiftObserver.Observable {
        let messenger = Messenger<String>()
    }

    private final class EventModel: SwiftObserver.Observable {
        let messenger = Messenger<Event>()
        enum Event { case willUpdate, didUpdate, willDeinit }
    }

    private final class Model: SwiftObserver.Observable {
        init() { send("did init") }
        func foo() { send(nil) }
        deinit { send("will deinit") }

        let messenger = Messenger<String?>()
    }

    @Test("Declare Custom Observables: a messenger is all it takes") func declare() {
        let minimal = Minimal(), model = EventModel(), dog = Dog()
        dog.observe(minimal) { dog.hear($0) }
        dog.observe(model) { dog.hear("\($0)") }
        minimal.send("text")
        model.send(.didUpdate)
        #expect(dog.heard == ["text", "didUpdate"])
    }

    @Test("Send Custom Messages: whatever, whenever, also in deinit") func send() {
        let dog = Dog()
        var received: [String?] = []
        var model: Model? = Model()
        dog.observe(model!) { received.append($0) }
        model?.foo()
        model = nil
        #expect(received == [nil, "will deinit"])
    }
}
