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
