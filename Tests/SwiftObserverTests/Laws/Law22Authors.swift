// SPDX-License-Identifier: MIT

import SwiftObserver
import Testing
import TestSupport

@Suite("Law 22: transforms pass the author on, and their state is their own") struct Law22 {
    @Test func theObservableIsTheAuthorUnlessTheSenderNamesAnother() {
        let messenger = Messenger<Int>(), number = Var(0), model = Model(), dog = Dog(), writer = Mortal()
        var authors: [ObjectIdentifier] = []
        dog.observe(messenger) { _, author in authors.append(ObjectIdentifier(author)) }
        dog.observe(number) { _, author in authors.append(ObjectIdentifier(author)) }
        dog.observe(model) { _, author in authors.append(ObjectIdentifier(author)) }
        messenger.send(1)
        number <- 1
        number.update { $0 += 1 }
        number.send()
        model.send(1)
        let own: [AnyObject] = [messenger, number, number, number, model]
        #expect(authors == own.map { ObjectIdentifier($0) })
        authors = []
        messenger.send(1, author: writer)
        number.set(5, author: writer)
        number.update(author: writer) { $0 += 1 }
        number.send(author: writer)
        model.send(1, author: writer)
        #expect(authors == Array(repeating: ObjectIdentifier(writer), count: 5))
    }

    @Test func transformsPassTheAuthorOn() {
        let number = Var(0), dog = Dog(), writer = Mortal()
        var authors: [ObjectIdentifier] = []
        let standing = number.new().map { $0 + 1 }.filter { $0 > 1 }
        dog.observe(standing) { _, author in authors.append(ObjectIdentifier(author)) }
        dog.observe(number).new().map { $0 + 1 }.filter { $0 > 1 }.receive { _, author in
            authors.append(ObjectIdentifier(author))
        }
        dog.observe(number).new { _, author in authors.append(ObjectIdentifier(author)) }
        dog.observe(number).map({ $0.new }) { _, author in authors.append(ObjectIdentifier(author)) }
        dog.observe(number).filter({ _ in true }) { _, author in authors.append(ObjectIdentifier(author)) }
        number.set(1, author: writer)
        #expect(authors == Array(repeating: ObjectIdentifier(writer), count: 5))
    }

    private final class Model: SwiftObserver.Observable {
        let messenger = Messenger<Int>()
    }
}
