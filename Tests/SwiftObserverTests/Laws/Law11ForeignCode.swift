// SPDX-License-Identifier: MIT

import SwiftObserver
import Testing
import TestSupport

/// If a lock were held in one of these, the test would wait for ever.
@Suite("Law 11: no lock is held while foreign code runs") struct Law11 {
    @Test func aHandlerMayDoEverything() {
        let messenger = Messenger<Int>(), dog = Dog()
        var received: [Int] = []
        dog.observe(messenger) { number in
            received.append(number)
            guard number == 1 else { return }
            messenger.send(2)
            dog.observe(messenger) { received.append($0 * 10) }
            messenger.maintainsMessageOrder = true
            #expect(dog.isObserving(messenger))
            dog.observe(messenger) { _ in }.stopAndWait()
        }
        messenger.send(1)
        #expect(received == [1, 2, 20])
    }

    @Test func whatAStoppedHandlerHeldMayUseTheMessengerWhenItDies() {
        let messenger = Messenger<Int>(), dog = Dog()
        var received: [Int] = []
        dog.observe(messenger) { received.append($0) }
        use(
            Mortal { [unowned messenger, unowned dog] in
                messenger.send(7)
                dog.observe(messenger) { _ in }.stop()
            }, in: dog, messenger)
        dog.observe(messenger) { _ in }
        messenger.send(1)
        #expect(received == [1, 7])

        func use(_ mortal: Mortal, in dog: Dog, _ messenger: Messenger<Int>) {
            var observation: ObservationHandle?
            observation = dog.observe(messenger) { _ in
                observation?.stop()
                withExtendedLifetime(mortal) {}
            }
        }
    }

    @Test func aMessageMayUseTheMessengerWhenItDies() {
        let messenger = Messenger<Mortal>(), dog = Dog()
        var deaths = 0
        dog.observe(messenger) { _ in }
        for _ in 0..<3 {
            messenger.send(
                Mortal { [unowned messenger] in
                    deaths += 1
                    _ = messenger.maintainsMessageOrder
                })
        }
        #expect(deaths == 3)
    }

    @Test func aValueMayUseItsVariableWhenItDies() {
        let variable = Var<Mortal?>(), dog = Dog()
        var deaths = 0
        dog.observe(variable) { _ in }
        variable
            <- Mortal { [unowned variable] in
                deaths += 1
                _ = variable.value
            }
        variable <- nil
        #expect(deaths == 1)
    }

    @Test func comparingMayUseTheVariable() {
        let dog = Dog()
        var received = 0
        let variable = Var(Nosy(number: 1))
        dog.observe(variable) { _ in received += 1 }
        variable <- Nosy(number: 2) { [unowned variable] in _ = variable.value }
        variable <- Nosy(number: 2) { [unowned variable] in variable.send() }
        #expect(received == 2)
    }

    @Test func updatingMayUseTheVariable() {
        let variable = Var(1)
        variable.update { $0 += variable.value }
        #expect(variable.value == 2)
    }

    @Test func predicatesAndMappingsMayUseTheirSource() {
        let number = Var(1), dog = Dog()
        var received: [Int] = []
        let mapped = number.new().map { $0 + number.value }.filter { _ in dog.isObserving(number) || true }
        dog.observe(mapped) { received.append($0) }
        number <- 5
        #expect(received == [10])
    }

    private struct Nosy: Equatable {
        let number: Int
        var ask: () -> Void = {}

        static func == (one: Nosy, other: Nosy) -> Bool {
            one.ask()
            other.ask()
            return one.number == other.number
        }
    }
}
