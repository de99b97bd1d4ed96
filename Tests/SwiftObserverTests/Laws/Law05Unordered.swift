// SPDX-License-Identifier: MIT

import SwiftObserver
import Testing
import TestSupport

@Suite("Law 5: without order, a send delivers at once on its own thread") struct Law5 {
    let messenger = Messenger<Int>(), dog = Dog()

    init() { messenger.maintainsMessageOrder = false }

    @Test func orderIsMaintainedUnlessSaidOtherwise() {
        let variable = Var(1)
        #expect(variable.maintainsMessageOrder && !messenger.maintainsMessageOrder)
        variable.maintainsMessageOrder = false
        #expect(!variable.messenger.maintainsMessageOrder)
    }

    @Test func twoThreadsAreInTheSameHandlerAtOnce() {
        let gates = [Gate(), Gate()]
        dog.observe(messenger) { number in
            gates[number].open()
            gates[1 - number].pass()
        }
        onThreads(2) { [messenger] in messenger.send($0) }
    }

    @Test func deliveriesSideBySideEndInAnyOrderThoughOneIsWaitedFor() {
        let entered = (0..<3).map { _ in Gate() }, release = (0..<3).map { _ in Gate() }, log = Recorder<String>()
        let observation = dog.observe(messenger) { number in
            log.record("slow \(number)")
            entered[number].open()
            release[number].pass()
        }
        let sending = (0..<3).map { number in
            let done = onOtherThread { [messenger] in messenger.send(number) }
            entered[number].pass()
            return done
        }
        release[0].open()
        sending[0].pass()
        let waiting = onOtherThread { observation.stopAndWait() }
        while observation.isLiving { giveWay() }
        dog.observe(messenger) { log.record("quick \($0)") }
        for number in 3..<6 {
            giveWay(until: waiting)
            messenger.send(number)
        }
        #expect(log.entries == ["slow 0", "slow 1", "slow 2", "quick 3", "quick 4", "quick 5"] && !waiting.isOpen)
        for number in [1, 2] {
            release[number].open()
            sending[number].pass()
        }
        waiting.pass()
    }

    @Test func aStormWithoutOrderLosesNothing() {
        let received = Recorder<Int>()
        dog.observe(messenger) { received.record($0) }
        onThreads(4) { [messenger] index in
            for number in 0..<1_000 {
                messenger.send(index * 1_000 + number)
                let guest = Dog()
                withExtendedLifetime(guest) { _ = guest.observe(messenger) { _ in }.stopAndWait() }
            }
        }
        #expect(received.entries.sorted() == Array(0..<4_000))
    }

    @Test func aTransformOfASourceWithoutOrderSeesOneMessageAtATime() {
        nonisolated(unsafe) var count = 0, received = 0
        let counting = messenger.map { number in
            count += 1
            return number
        }
        dog.observe(counting) { _ in received += 1 }
        onThreads(4) { [messenger] _ in for number in 0..<1_000 { messenger.send(number) } }
        #expect(count == 4_000 && received == 4_000)
    }
}
