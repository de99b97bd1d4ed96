// SPDX-License-Identifier: MIT

import Dispatch
import SteinsKit
import TestSupport
import Testing

@Suite("SteinsKit: the observable keeps an observation for as long as its observer lives") struct LifetimeTests {
    @Test func aMappingThatIsNotHeldLivesAsLongAsItIsObserved() {
        let variable = Variable(1), label = Label()
        let living = leaks { track in
            let captured = track(Mortal())
            func begin() {
                variable.map { number in
                    withExtendedLifetime(captured) { "\(number)" }
                }.beObserved(by: label, onChanged: { $0.texts.append($1) })
            }
            begin()
        }
        variable.accept(2)
        #expect(label.texts == ["1", "2"])
        #expect(living == ["Mortal"])
    }

    @Test func aMappingEndsWithItsLastObserver() {
        let variable = Variable(1)
        let living = leaks { track in
            do {
                let captured = track(Mortal()), label = track(Label())
                variable.map { number in
                    withExtendedLifetime(captured) { "\(number)" }
                }.map { $0 }.beObserved(by: label, onChanged: { $0.texts.append($1) })
            }
            // The death is found out by the next value.
            variable.accept(2)
        }
        #expect(living == [])
    }

    @Test func aMappingThatIsHeldNeedNotBeObserved() {
        let variable = Variable(1), label = Label()
        let mapped = variable.map { "\($0)" }
        do {
            let guest = Label()
            mapped.beObserved(by: guest, onChanged: { $0.texts.append($1) })
        }
        variable.accept(2)
        variable.accept(3)
        mapped.beObserved(by: label, onChanged: { $0.texts.append($1) })
        variable.accept(4)
        #expect(label.texts == ["3", "4"])
    }

    @Test func aMappingThatIsNotObservedEndsWhenItIsReleased() {
        let variable = Variable(1)
        let living = leaks { track in
            let captured = track(Mortal())
            let mapped = variable.map { number in withExtendedLifetime(captured) { number } }
            mapped.runWithLatestValue { #expect($0 == 1) }
        }
        #expect(living == [])
    }

    @Test func whenAllIsReleasedNothingIsLeft() {
        let queue = DispatchQueue(label: "test")
        let living = leaks { track in
            let variable = track(Variable(track(Mortal(), "value"))), label = track(Label())
            let captured = track(Mortal(), "captured")
            let mapped = variable.map { $0 }
            mapped.beObserved(by: label) { _, _ in withExtendedLifetime(captured) {} }
            variable.map { $0 }.map { $0 }.beObserved(by: label) { _, _ in withExtendedLifetime(captured) {} }
            variable.beObserved(by: label, .async(queue)) { _, _ in withExtendedLifetime(captured) {} }
            variable.accept(track(Mortal(), "second value"))
            queue.sync {}
        }
        queue.sync {}
        #expect(living == [])
    }

    /// Nothing is ever accepted, so nothing tells that observers have died.
    @Test func deadObserversDoNotPileUp() {
        let variable = LazyVariable<Int>()
        let living = leaks { track in
            for _ in 0..<1_000 {
                let captured = track(Mortal())
                variable.beObserved(by: Label()) { _, _ in withExtendedLifetime(captured) {} }
            }
        }
        #expect(living.count <= 32)
    }

    @Test func theHandlerMayBeTheLastToHoldItsObserver() {
        let variable = LazyVariable<Int>()
        var label: Label? = Label()
        var seen: [Int] = []
        variable.beObserved(by: label!) { observer, number in
            label = nil
            observer.text = "\(number)"
            seen.append(number)
        }
        variable.accept(1)
        variable.accept(2)
        #expect(seen == [1])
    }
}
