// SPDX-License-Identifier: MIT

import SwiftObserver
import Testing
import TestSupport

@Suite("Law 8: observations end when the observer or the observable dies") struct Law8 {
    @Test func nothingReachesADeadObserver() {
        let messenger = Messenger<Int>()
        var dog: Dog? = Dog()
        var received: [Int] = []
        let observation = dog!.observe(messenger) { received.append($0) }
        messenger.send(1)
        dog = nil
        #expect(!observation.isLiving)
        messenger.send(2)
        #expect(received == [1])
    }

    @Test func anObserverThatDiesDuringADeliveryIsSkippedInIt() {
        let messenger = Messenger<Int>(), first = Dog()
        var second: Dog? = Dog()
        var received: [Int] = []
        first.observe(messenger) { _ in second = nil }
        second!.observe(messenger) { received.append($0) }
        messenger.send(1)
        #expect(received == [])
    }

    @Test func anObserverMayDieInItsOwnHandler() {
        let messenger = Messenger<Int>()
        var dog: Dog? = Dog()
        var received: [Int] = []
        dog!.observe(messenger) {
            dog = nil
            received.append($0)
        }
        messenger.send(1)
        messenger.send(2)
        #expect(received == [1])
    }

    @Test func observationsOfADeadObservableHaveEnded() {
        let dog = Dog()
        var messenger: Messenger<Int>? = Messenger()
        let observation = dog.observe(messenger!) { _ in }
        messenger = nil
        #expect(!observation.isLiving)
        #expect(!observation.stop())
    }

    @Test func anObservableThatDiesDuringADeliveryDeliversWhatItHasSent() {
        let dog = Dog()
        var messenger: Messenger<Int>? = Messenger()
        var received: [Int] = []
        var observation: ObservationHandle?
        dog.observe(messenger!) { number in
            guard number == 1 else { return }
            messenger!.send(2)
            messenger!.send(3)
            messenger = nil
        }
        observation = dog.observe(messenger!) { received.append($0) }
        messenger!.send(1)
        #expect(messenger == nil)
        #expect(received == [1, 2, 3])
        #expect(observation?.isLiving == false)
    }

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
