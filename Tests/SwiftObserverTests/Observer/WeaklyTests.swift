// SPDX-License-Identifier: MIT

import SwiftObserver
import Testing
import TestSupport

@Suite("Observing for an object that is held weakly") struct WeaklyTests {
    /// Any object will do.
    final class Label {
        var texts: [String] = []
        var number = 0
    }

    /// One that several threads may use.
    final class Counter: Sendable {}

    @Test func theClosureIsGivenTheObject() {
        let name = Var("Ann"), label = Label()
        name.observe(weakly: label) { label, update in label.texts.append(update.new) }
        name <- "Bob"
        #expect(label.texts == ["Bob"])
    }

    @Test func everyFormOfHandlerIsCalled() {
        let messenger = Messenger<Int>(), bell = Messenger<Void>(), label = Label(), author = Dog()
        messenger.observe(weakly: label) { label, number, author in
            label.texts.append("\(number) by \(type(of: author))")
        }
        bell.observe(weakly: label) { label in label.texts.append("rang") }
        messenger.send(1, author: author)
        bell.send(())
        #expect(label.texts == ["1 by Dog", "rang"])
    }

    @Test func theLatestMessageComesFirstIfAskedFor() {
        let name = Var("Ann"), label = Label()
        name.observe(weakly: label, replaying: .latest) { label, update in label.texts.append(update.new) }
        name.observe(weakly: label, replaying: .none) { label, update in label.texts.append(update.new + "!") }
        name <- "Bob"
        #expect(label.texts == ["Ann", "Bob", "Bob!"])
    }

    @Test func transformsAndChainsAreObservedTheSameWay() {
        let number = Var(1), label = Label(), doubled = number.new().map { $0 * 2 }
        doubled.observe(weakly: label) { label, number in label.texts.append("standing \(number)") }
        number.observe(weakly: label, adHoc: { $0.new().filter { $0 > 2 }.map { "ad hoc \($0)" } }) { label, text in
            label.texts.append(text)
        }
        number <- 2
        number <- 3
        #expect(label.texts == ["standing 4", "standing 6", "ad hoc 3"])
    }

    @Test func oneObjectMayObserveAnyNumberOfTimes() {
        let messenger = Messenger<Int>(), label = Label()
        let first = messenger.observe(weakly: label) { label, number in label.number += number }
        messenger.observe(weakly: label) { label, number in label.number += number }
        messenger.send(1)
        #expect(first.stop())
        messenger.send(10)
        #expect(label.number == 12)
    }

    @Test func anObserverMayAlsoBeHeldWeakly() {
        let messenger = Messenger<Int>(), dog = Dog()
        var received: [Int] = []
        messenger.observe(weakly: dog) { _, number in received.append(number) }
        dog.stopObserving()
        #expect(!dog.isObserving(messenger))
        messenger.send(1)
        #expect(received == [1])
    }

    @Test func anActorGetsItsMessagesOnTheActor() async {
        let messenger = Messenger<Int>()
        await observeOnTheMainActor(messenger)
    }

    @MainActor private func observeOnTheMainActor(_ messenger: Messenger<Int>) async {
        let label = Label(), done = Gate()
        messenger.observe(weakly: label) { label, number in
            MainActor.assertIsolated()
            label.number = number
            done.open()
        }
        onOtherThread { messenger.send(7) }
        await done.opened()
        #expect(label.number == 7)
    }

    // Law 5
    @Test func withoutOrderASendInsideTheClosureIsDeliveredAtOnce() {
        let messenger = Messenger<Int>(), label = Label()
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
