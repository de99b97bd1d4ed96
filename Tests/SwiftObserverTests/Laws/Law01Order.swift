// SPDX-License-Identifier: MIT

import SwiftObserver
import Testing
import TestSupport

@Suite("Law 1: one message at a time, in the order sent") struct Law1 {
    @Test func messagesArriveInTheOrderSent() {
        let messenger = Messenger<Int>(), dog = Dog()
        var received: [Int] = []
        dog.observe(messenger) { received.append($0) }
        for number in 0..<100 { messenger.send(number) }
        #expect(received == Array(0..<100))
    }

    @Test func everyObserverHasBeenOfferedAMessageBeforeAnyIsOfferedTheNext() {
        let messenger = Messenger<Int>(), dog = Dog()
        var received: [String] = []
        for name in ["a", "b", "c"] {
            dog.observe(messenger) { number in
                received.append("\(name)\(number)")
                if name == "a", number < 3 { messenger.send(number + 1) }
            }
        }
        messenger.send(1)
        #expect(received == ["a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3"])
    }

    @Test func aCustomObservableKeepsTheOrderToo() {
        let model = Model(), dog = Dog()
        var received: [String?] = []
        dog.observe(model) { text in
            if text == "a" { model.send(nil) }
        }
        dog.observe(model) { received.append($0) }
        model.send("a")
        model.send("b")
        #expect(received == ["a", nil, "b"])
    }

    private final class Model: SwiftObserver.Observable {
        let messenger = Messenger<String?>()
    }
}
