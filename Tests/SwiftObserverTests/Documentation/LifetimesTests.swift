// SPDX-License-Identifier: MIT

import SwiftObserver
import Testing

@MainActor @Suite("Documentation: Lifetimes") struct LifetimesTests {
    @MainActor final class View: Observer {
        let receiver = Receiver()
        var text = ""

        init(_ title: Var<String>) {
            observe(title) { [weak self] update in
                self?.text = update.new
            }
        }
    }

    @Test func aHandlerThatDoesNotKeepItsObserver() {
        let title = Var("")
        var view: View? = View(title)
        title <- "a"
        #expect(view?.text == "a")
        view = nil
        #expect(!title.isObserved)
    }

    @MainActor final class Session: Observer {
        let receiver = Receiver()
        let log: Messenger<String>
        private(set) var lines: [String] = []

        init(_ log: Messenger<String>) {
            self.log = log
            observe(log) { [weak self] line in self?.lines.append(line) }
        }

        deinit { log.send("the session ends") }
    }

    /// Its receiver dies after its deinit, so its handler is called meanwhile.
    @Test func anObserverThatSendsWhileItDies() {
        let log = Messenger<String>()
        var session: Session? = Session(log), sent: [String] = []
        let watching = log.observe { sent.append($0) }
        log.send("hello")
        #expect(session?.lines == ["hello"])
        session = nil
        withExtendedLifetime(watching) { #expect(sent == ["hello", "the session ends"]) }
    }

    @Test func aTransformMustBeHeld() async {
        let number = Var(0), dog = Dog()
        var never = 0, always = 0

        dog.observe(number.new()) { _ in never += 1 }

        dog.observe(number).new().receive { _ in always += 1 }

        let numbers = number.new().messages()
        number <- 1
        #expect(never == 0 && always == 1)
        var iterator = numbers.makeAsyncIterator()
        #expect(await iterator.next() == 1)
    }

    @Test func withoutAnObserver() {
        let number = Var(0)
        var watched: [Int] = []
        let watching = number.observe { update in
            watched.append(update.new)
        }
        withExtendedLifetime(watching) { number <- 1 }
        #expect(watched == [1])
    }

    final class Label {
        var text = ""
    }

    @Test func forAnyObject() {
        let title = Var("")
        var label: Label? = Label()
        func begin(_ label: Label) {
            title.observe(weakly: label) { label, update in
                label.text = update.new
            }
        }
        begin(label!)
        title <- "a"
        #expect(label?.text == "a")
        label = nil
        title <- "b"
        #expect(!title.isObserved)
    }
}
