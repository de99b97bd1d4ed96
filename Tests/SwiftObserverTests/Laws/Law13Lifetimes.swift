// SPDX-License-Identifier: MIT

import SwiftObserver
import Testing
import TestSupport

@Suite("Laws 13 and 14: who keeps whom, and that nothing is left") struct Law13And14 {
    @Test func anObservableDoesNotKeepItsObservers() {
        let messenger = Messenger<Int>()
        let leaked = leaks { track in
            track(Dog()).observe(messenger) { _ in }
        }
        #expect(leaked.isEmpty)
    }

    @Test func anObservationDoesNotKeepItsObservable() {
        let dog = Dog()
        let leaked = leaks { track in
            dog.observe(track(Messenger<Int>())) { _ in }
            dog.observe(track(Var(1))) { _ in }
            dog.observe(track(track(Var(1)).map { $0.new })) { _ in }
            dog.observe(track(Var(1))).new().filter { $0 > 1 }.receive { _ in }
        }
        #expect(leaked.isEmpty)
    }

    @Test func aTransformKeepsItsSource() {
        let tracker = Tracker()
        var mapped: Mapper<Var<Int>, Int>? = tracker(tracker(Var(1)).new())
        #expect(tracker.living.count == 2)
        var received: [Int] = []
        let dog = Dog()
        dog.observe(mapped!) { received.append($0) }
        mapped!.source <- 5
        #expect(received == [5])
        mapped = nil
        #expect(tracker.living.isEmpty)
    }

    @Test func anUnusedChainIsGone() {
        let variable = Var(1)
        let leaked = leaks { track in
            _ = track(track(track(variable.new()).map { $0 + 1 }).filter { $0 > 1 })
        }
        #expect(leaked.isEmpty)
    }

    @Test func everythingTogetherLeavesNothing() {
        let leaked = leaks { track in
            let messenger = track(Messenger<Mortal>()), dog = track(Dog()), cat = track(Dog())
            let variable = track(Var<Mortal?>())
            let mapped = track(variable.new())
            dog.observe(messenger) { _ in }
            cat.observe(messenger) { _ in cat.stopObserving(messenger) }
            dog.observe(mapped) { _ in messenger.send(Mortal()) }
            dog.observe(variable).new().filter { $0 != nil }.map { $0! }.receive { _ in }
            variable <- track(Mortal())
            messenger.send(track(Mortal()))
            dog.stopObserving(mapped)
        }
        #expect(leaked.isEmpty)
    }

    @Test func messagesThatWaitedAreLetGo() {
        let leaked = leaks { track in
            let messenger = Messenger<Mortal>(), dog = Dog()
            var count = 0
            dog.observe(messenger) { _ in
                count += 1
                if count < 100 { messenger.send(track(Mortal())) }
            }
            messenger.send(track(Mortal()))
        }
        #expect(leaked.isEmpty)
    }

    @Test func authorsAreNotKept() {
        let leaked = leaks { track in
            let messenger = Messenger<Int>(), dog = Dog()
            dog.observe(messenger) { number, author in
                if number < 10 { messenger.send(number + 1, author: track(Mortal())) }
            }
            messenger.send(1, author: track(Mortal()))
        }
        #expect(leaked.isEmpty)
    }
}
