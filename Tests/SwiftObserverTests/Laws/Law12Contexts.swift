// SPDX-License-Identifier: MIT

import SwiftObserver
import Testing
import TestSupport

@Suite("Laws 12 to 14: handlers are released once, neither side keeps the other, nothing is left") struct Law12To14 {
    @Test func handlersAreLetGoOnceWhicheverThreadStopsThem() {
        let messenger = Messenger<Int>(), deaths = Recorder<Void>(), over = Gate()
        let sending = onOtherThread { while !over.isOpen { messenger.send(1) } }
        onThreads(2) { _ in
            let dog = Dog()
            for _ in 0..<300 {
                let mortal = Mortal { deaths.record() }
                dog.observe(messenger) { _ in withExtendedLifetime(mortal) {} }
                dog.stopObserving(messenger)
            }
        }
        over.open()
        sending.pass()
        #expect(deaths.count == 600)
    }

    @Test func noKindOfObservationKeepsItsObservable() {
        let dog = Dog()
        let leaked = leaks { track in
            dog.observe(track(Var(1))) { _ in }
            dog.observe(track(track(Var(1)).map { $0.new })) { _ in }
            dog.observe(track(Var(1))).new().filter { $0 > 1 }.receive { _ in }
        }
        #expect(leaked.isEmpty)
    }

    @Test func everythingTogetherLeavesNothing() {
        let leaked = leaks { track in
            let messenger = track(Messenger<Mortal>()), dog = track(Dog()), cat = track(Dog())
            let variable = track(Var<Mortal?>())
            let mapped = track(track(variable.new()).filter { _ in true })
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

    @Test func messagesThatWaitedAndTheirAuthorsAreLetGo() {
        let leaked = leaks { track in
            let messenger = Messenger<Mortal>(), dog = Dog()
            dog.observe(messenger) { _ in
                dog.hear("one")
                if dog.heard.count < 100 { messenger.send(track(Mortal()), author: track(Mortal())) }
            }
            messenger.send(track(Mortal()), author: track(Mortal()))
        }
        #expect(leaked.isEmpty)
    }
}
