// SPDX-License-Identifier: MIT

import SwiftObserver
import Testing
import TestSupport

@Suite("Law 8: observations end when the observer or the observable dies") struct Law8 {
    @Test func anObservableThatDiesOnAnotherThreadDeliversWhatItHasSent() {
        let dog = Dog(), entered = Gate(), release = Gate(), received = Recorder<Int>()
        let holder = Holder(Messenger<Int>())
        dog.observe(holder.messenger!) { number in
            received.record(number)
            if number == 1 {
                entered.open()
                release.pass()
            }
        }
        let done = onOtherThread { [weak messenger = holder.messenger] in messenger?.send(1) }
        entered.pass()
        holder.messenger!.send(2)
        holder.messenger = nil
        release.open()
        done.pass()
        #expect(received.entries == [1, 2])
    }

    @Test func whatADyingObservableSendsArrives() {
        let dog = Dog()
        var model: Model? = Model()
        var received: [String] = []
        dog.observe(model!) { received.append($0) }
        model = nil
        #expect(received == ["will deinit"])
    }

    @Test func whatADyingObserverBeginsEndsWithIt() {
        let messenger = Messenger<Int>()
        var received = 0
        func live() {
            let dog = DyingDog(messenger) { received += 1 }
            withExtendedLifetime(dog) { messenger.send(1) }
        }
        live()
        messenger.send(2)
        #expect(received == 0)
        #expect(!messenger.isObserved)
    }

    private final class DyingDog: Observer {
        init(_ messenger: Messenger<Int>, _ bark: @escaping () -> Void) {
            self.messenger = messenger
            self.bark = bark
        }

        deinit {
            let bark = bark
            observe(messenger) { _ in bark() }
        }

        private let messenger: Messenger<Int>
        private let bark: () -> Void
        let receiver = Receiver()
    }

    /// A dead observable cannot be kept as the author of a message that waits.
    @Test func theMessengerIsTheAuthorOfWhatADyingObservableSends() {
        let dog = Dog()
        var model: Model? = Model()
        let messenger = model!.messenger
        var authors: [AnyObject] = []
        dog.observe(messenger) { text, author in
            authors.append(author)
            if text == "first" { model = nil }
        }
        messenger.send("first", author: dog)
        #expect(authors.count == 2 && isSame(authors[1], messenger))
    }

    /// - Note: `@unchecked Sendable`: only the test's own thread touches it.
    private final class Holder: @unchecked Sendable {
        var messenger: Messenger<Int>?
        init(_ messenger: Messenger<Int>) { self.messenger = messenger }
    }

    private final class Model: SwiftObserver.Observable {
        let messenger = Messenger<String>()
        deinit { send("will deinit") }
    }
}
