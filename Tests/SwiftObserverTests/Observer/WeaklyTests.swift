// SPDX-License-Identifier: MIT

import SwiftObserver
import Testing
import TestSupport

@Suite("Observing for an object that is held weakly") struct WeaklyTests {
    /// Any object will do.
    final class Label: @unchecked Sendable {
        var texts: [String] = []
    }

    /// One that several threads may use.
    final class Counter: Sendable {}

    let name = Var("Ann"), messenger = Messenger<Int>(), label = Label()

    @Test func everyFormOfHandlerIsGivenTheObject() {
        let bell = Messenger<Void>(), author = Dog()
        name.observe(weakly: label) { label, update in label.texts.append(update.new) }
        messenger.observe(weakly: label) { label, number, author in
            label.texts.append("\(number) by \(type(of: author))")
        }
        bell.observe(weakly: label) { label in label.texts.append("rang") }
        name <- "Bob"
        messenger.send(1, author: author)
        bell.send(())
        #expect(label.texts == ["Bob", "1 by Dog", "rang"])
    }

    @Test func theLatestMessageComesFirstIfAskedFor() {
        name.observe(weakly: label, replaying: .latest) { label, update in label.texts.append(update.new) }
        name.observe(weakly: label, replaying: .none) { label, update in label.texts.append(update.new + "!") }
        name <- "Bob"
        #expect(label.texts == ["Ann", "Bob", "Bob!"])
    }

    @Test func transformsAndChainsAreObservedTheSameWay() {
        let doubled = messenger.map { $0 * 2 }
        doubled.observe(weakly: label) { label, number in label.texts.append("standing \(number)") }
        messenger.observe(weakly: label, adHoc: { $0.filter { $0 > 2 }.map { "ad hoc \($0)" } }) { label, text in
            label.texts.append(text)
        }
        messenger.send(2)
        messenger.send(3)
        #expect(label.texts == ["standing 4", "standing 6", "ad hoc 3"])
    }

    @Test func anObserverMayAlsoBeHeldWeakly() {
        let dog = Dog()
        messenger.observe(weakly: dog) { $0.hear($1) }
        dog.stopObserving()
        #expect(!dog.isObserving(messenger))
        messenger.send(1)
        #expect(dog.heard == ["1"])
    }

    @Test @MainActor func anActorGetsItsMessagesOnTheActor() async {
        let messenger = messenger, label = label, done = Gate()
        messenger.observe(weakly: label) { label, number in
            MainActor.assertIsolated()
            label.texts.append("\(number)")
            done.open()
        }
        onOtherThread { messenger.send(7) }
        await done.opened()
        #expect(label.texts == ["7"])
    }

    // Law 5
    @Test func withoutOrderASendInsideTheClosureIsDeliveredAtOnce() {
        messenger.maintainsMessageOrder = false
        messenger.observe(weakly: label) { label, number in
            label.texts.append("begin \(number)")
            if number == 1 { messenger.send(2) }
            label.texts.append("end \(number)")
        }
        messenger.send(1)
        #expect(label.texts == ["begin 1", "begin 2", "end 2", "end 1"])
    }
}
