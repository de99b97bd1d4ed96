// SPDX-License-Identifier: MIT

import SwiftObserver
import Testing
import TestSupport

@Suite("Law 1: one message at a time, in the order sent") struct Law1 {
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
