// SPDX-License-Identifier: MIT

import SwiftObserver
import Testing
import TestSupport

@Suite("Law 12: what a handler holds is let go once, after its last call") struct Law12 {
    @Test func aHandlerIsLetGoWhenItIsStopped() {
        let messenger = Messenger<Int>(), dog = Dog()
        var deaths = 0
        let observation = observe(messenger, dog, keeping: Mortal { deaths += 1 })
        messenger.send(1)
        #expect(deaths == 0)
        observation.stop()
        #expect(deaths == 1)
    }

    @Test func aHandlerThatIsStoppedWhileItRunsIsLetGoAfterwards() {
        let messenger = Messenger<Int>(), dog = Dog()
        var log: [String] = []
        func begin(_ mortal: Mortal) {
            var observation: ObservationHandle?
            observation = dog.observe(messenger) { _ in
                observation?.stop()
                log.append("handling")
                withExtendedLifetime(mortal) {}
                log.append("handled")
            }
        }
        begin(Mortal { log.append("let go") })
        messenger.send(1)
        #expect(log == ["handling", "handled", "let go"])
    }

    @Test func aHandlerIsLetGoWhenItsObserverDies() {
        let messenger = Messenger<Int>()
        var dog: Dog? = Dog()
        var deaths = 0
        observe(messenger, dog!, keeping: Mortal { deaths += 1 })
        dog = nil
        #expect(deaths == 1)
    }

    @Test func aHandlerIsLetGoWhenItsObservableDies() {
        let dog = Dog()
        var messenger: Messenger<Int>? = Messenger()
        var deaths = 0
        observe(messenger!, dog, keeping: Mortal { deaths += 1 })
        messenger = nil
        #expect(deaths == 1)
    }

    @Test func handlersAreLetGoOnceWhicheverThreadStopsThem() {
        let messenger = Messenger<Int>(), deaths = Recorder<Void>(), over = Gate()
        let sending = onOtherThread { while !over.isOpen { messenger.send(1) } }
        onThreads(2) { _ in
            let dog = Dog()
            for _ in 0..<300 {
                observe(messenger, dog, keeping: Mortal { deaths.record() })
                dog.stopObserving(messenger)
            }
        }
        over.open()
        sending.pass()
        #expect(deaths.count == 600)
    }
}

@discardableResult
private func observe(_ messenger: Messenger<Int>, _ dog: Dog, keeping object: Mortal) -> ObservationHandle {
    dog.observe(messenger) { _ in withExtendedLifetime(object) {} }
}
