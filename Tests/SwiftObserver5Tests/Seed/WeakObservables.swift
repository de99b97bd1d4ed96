// SPDX-License-Identifier: MIT

import SwiftObserver5
import Testing
import TestSupport

@Suite("Seed: Weak Observables") struct WeakObservables {
    @Test func aWeakStandsInForItsObservable() {
        let controller = Dog()
        let number = Var(12)
        let weakNumber = Weak(number)
        controller.observe(weakNumber) { message in
            controller.hear("\(message.old) \(message.new)")
        }
        var weakNumbers = [Weak<Var<Int>>]()
        weakNumbers.append(weakNumber)
        number <- 13
        #expect(controller.heard == ["12 13"])
        #expect(weakNumbers[0].observable?.value == 13)
        #expect(weakNumber.latestMessage == Change(13, 13))
    }

    @Test func aWeakDoesNotKeepItsObservableAlive() {
        var weakNumber: Weak<Var<Int>>?
        let leaked = leaks { track in
            let number = track(Var(12))
            weakNumber = Weak(number)
            #expect(weakNumber?.observable === number)
        }
        #expect(leaked.isEmpty)
        #expect(weakNumber?.observable == nil)
    }

    @Test func aWeakRemembersTheLatestMessageAfterTheDeathOfItsObservable() {
        var number: Var<Int>? = Var(12)
        let weakNumber = Weak(number!), text = Weak(Messenger("only"))
        number! <- 13
        number = nil
        #expect(weakNumber.observable == nil)
        #expect(weakNumber.latestMessage == Change(13, 13))
        #expect(text.latestMessage == "only")
    }

    @Test func aCombinedObservationOfAWeakGoesOnAfterTheDeathOfItsObservable() {
        let dog = Dog(), text = Var("a")
        var number: Var<Int>? = Var(1)
        let weakNumber = Weak(number!)
        dog.observe(weakNumber, text) { dog.hear("\($0.new) \($1.new)") }
        number! <- 2
        number = nil
        text <- "b"
        #expect(dog.heard == ["2 a", "2 b"])
    }

    @Test func aDyingWeakStopsObserving() {
        let number = Var(1)
        let leaked = leaks { track in _ = track(Weak(number)) }
        #expect(leaked.isEmpty)
        number <- 2
    }
}
