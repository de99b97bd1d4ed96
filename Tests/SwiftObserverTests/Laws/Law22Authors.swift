// SPDX-License-Identifier: MIT

import SwiftObserver
import Testing
import TestSupport

@Suite("Law 22: transforms pass the author on, and their state is their own") struct Law22 {
    let messenger = Messenger<Int>(), number = Var(0), dog = Dog(), writer = Mortal()

    @Test func theObservableIsTheAuthorUnlessTheSenderNamesAnother() {
        final class Model: SwiftObserver.Observable, Sendable { let messenger = Messenger<Int>() }
        let model = Model()
        @Sendable func hear(_ author: AnyObject) {
            dog.hear(
                author === messenger ? "messenger" : author === number ? "number" : author === model ? "model" : "-")
        }
        dog.observe(messenger) { hear($1) }
        dog.observe(number) { hear($1) }
        dog.observe(model) { hear($1) }
        for author in [nil, writer] {
            messenger.send(1, author: author)
            number.set(author == nil ? 1 : 2, author: author)
            number.update(author: author) { $0 += 5 }
            number.send(author: author)
            model.send(1, author: author)
        }
        number <- 0
        #expect(
            dog.heard == ["messenger", "number", "number", "number", "model"] + Array(repeating: "-", count: 5) + [
                "number"
            ])
    }
}
