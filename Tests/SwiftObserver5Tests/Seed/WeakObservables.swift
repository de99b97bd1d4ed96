// SPDX-License-Identifier: MIT

import SwiftObserver5
import Testing
import TestSupport

@Suite("Seed: Weak Observables") struct WeakObservables {
    let dog = Dog()

    @Test func aWeakStandsInForItsObservableAlsoAfterItsDeath() {
        var number: Var<Int>? = Var(12)
        let weakNumber = Weak(number!), text = Var("a")
        dog.observe(weakNumber) { message in
            dog.hear("\(message.old) \(message.new)")
        }
        dog.observe(weakNumber, text) { dog.hear("\($0.new) \($1.new)") }
        var weakNumbers = [Weak<Var<Int>>]()
        weakNumbers.append(weakNumber)
        number! <- 13
        #expect(weakNumbers[0].observable?.value == 13)
        number = nil
        #expect(weakNumber.observable == nil && weakNumber.latestMessage == Change(13, 13))
        text <- "b"
        #expect(dog.heard == ["12 13", "13 a", "13 b"])
        #expect(Weak(Messenger("only")).latestMessage == "only")
    }

    @Test func neitherAWeakNorItsObservableKeepsTheOther() {
        let number = Var(1)
        let leaked = leaks { track in
            _ = track(Weak(number))
            let weak = Weak(track(Var(12)))
            #expect(weak.observable == nil)
        }
        #expect(leaked.isEmpty)
        number <- 2
    }
}
