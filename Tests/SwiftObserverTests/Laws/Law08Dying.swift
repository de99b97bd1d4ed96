// SPDX-License-Identifier: MIT

import SwiftObserver
import Testing
import TestSupport

@Suite("Law 8: observations end when the observer or the observable dies") struct Law8 {
    @Test func anObservableThatDiesOnAnotherThreadDeliversWhatItHasSent() {
        let dog = Dog(), entered = Gate(), release = Gate(), received = Recorder<Int>()
        var messenger: Messenger<Int>? = Messenger()
        dog.observe(messenger!) { number in
            received.record(number)
            if number == 1 {
                entered.open()
                release.pass()
            }
        }
        let done = onOtherThread { [weak messenger] in messenger?.send(1) }
        entered.pass()
        messenger!.send(2)
        messenger = nil
        release.open()
        done.pass()
        #expect(received.entries == [1, 2])
    }

    @MainActor private final class Session: Observer {
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
    @MainActor @Test func anObserverMaySendWhileItDies() {
        let log = Messenger<String>()
        var session: Session? = Session(log), sent: [String] = []
        let watching = log.observe { sent.append($0) }
        log.send("hello")
        #expect(session?.lines == ["hello"])
        session = nil
        withExtendedLifetime(watching) { #expect(sent == ["hello", "the session ends"]) }
    }

    private final class Model: SwiftObserver.Observable, Sendable {
        let messenger = Messenger<String>()
        deinit { send("will deinit") }
    }

    /// A dead observable cannot be kept as the author of a message that waits.
    @Test func whatADyingObservableSendsArrivesInTheNameOfItsMessenger() {
        let dog = Dog()
        nonisolated(unsafe) var model: Model? = Model()
        let messenger = model!.messenger
        dog.observe(messenger) { text, author in
            dog.hear("\(text) by \(author === messenger ? "messenger" : "dog")")
            if text == "first" { model = nil }
        }
        messenger.send("first", author: dog)
        #expect(dog.heard == ["first by dog", "will deinit by messenger"])
    }

    private final class DyingDog: Observer {
        init(_ messenger: Messenger<Int>, _ bark: @escaping @Sendable () -> Void) {
            self.messenger = messenger
            self.bark = bark
        }

        deinit {
            let bark = bark
            observe(messenger) { _ in bark() }
        }

        private let messenger: Messenger<Int>
        private let bark: @Sendable () -> Void
        let receiver = Receiver()
    }

    @Test func whatADyingObserverBeginsEndsWithIt() {
        let messenger = Messenger<Int>()
        nonisolated(unsafe) var received = 0
        func live() { withExtendedLifetime(DyingDog(messenger) { received += 1 }) { messenger.send(1) } }
        live()
        messenger.send(2)
        #expect(received == 0 && !messenger.isObserved)
    }
}
