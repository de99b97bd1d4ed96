// SPDX-License-Identifier: MIT

import SwiftObserver
import Testing
import TestSupport

@Suite("Weak") struct WeakTests {
    @Test func itSendsWhatItsObservableSends() {
        let number = Var(12), weak = Weak(number), dog = Dog()
        var received: [Update<Int>] = []
        dog.observe(weak) { update, author in
            received.append(update)
            #expect(isSame(author, number))
        }
        number <- 13
        #expect(received == [Update(12, 13)])
    }

    @Test func itDoesNotKeepItsObservable() {
        var weak: Weak<Var<Int>>?
        let leaked = leaks { track in
            let number = track(Var(12))
            weak = Weak(number)
            #expect(weak?.observable === number)
            #expect(weak?.observable?.value == 12)
        }
        #expect(leaked.isEmpty)
        #expect(weak?.observable == nil)
    }

    @Test func aTransformOfItDoesNotKeepItsObservableEither() {
        let text = Weak(Var<Int?>()).new().unwrap(0).map { "\($0)" }
        #expect(text.source.source.source.observable == nil)
    }

    @Test func itMayStandInACollection() {
        let number = Var(1)
        var numbers: [Weak<Var<Int>>] = []
        numbers.append(Weak(number))
        numbers.append(Weak(Var(2)))
        #expect(numbers.compactMap { $0.observable?.value } == [1])
    }
}
