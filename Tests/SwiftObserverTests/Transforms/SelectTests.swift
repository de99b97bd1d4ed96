// SPDX-License-Identifier: MIT

import SwiftObserver
import Testing
import TestSupport

@Suite("select") struct SelectTests {
    @Test func onlyTheSelectedMessageIsReceived() {
        expectNumbers(
            "1 2 1 3", gives: "!   !", show: { _ in "!" }, standing: { $0.select(1) }, adHoc: { $0.select(1) })
    }

    @Test func theClosuresTakeNoArgument() {
        let messenger = Messenger<String>(), dog = Dog()
        let notifier = messenger.select("my notification")
        var received: [String] = []
        dog.observe(notifier) { received.append("standing") }
        dog.observe(messenger).select("my notification") { received.append("ad hoc") }
        dog.observe(messenger).select("my notification").receive { received.append("received") }
        messenger.send("another")
        messenger.send("my notification")
        #expect(received == ["standing", "ad hoc", "received"])
    }

    @Test func theAuthorIsAllThereIsToTake() {
        let messenger = Messenger<String>(), dog = Dog()
        var authors: [AnyObject] = []
        dog.observe(messenger).select("a") { author in authors.append(author) }
        messenger.send("a", author: dog)
        #expect(authors.count == 1 && isSame(authors[0], dog))
    }

    @Test func anUpdateOfAVariableCanBeSelected() {
        let number = Var(1), dog = Dog()
        var received = 0
        dog.observe(number).select(Update(1, 2)) { received += 1 }
        number <- 2
        number <- 1
        number <- 2
        number <- 3
        #expect(received == 2)
    }
}
