// SPDX-License-Identifier: MIT

import SwiftObserver
import Testing
import TestSupport

@Suite("Blocking") struct BlockingTests {
    let messenger = Messenger<Int>(), dog = Dog()

    @Test(arguments: [true, false]) func aBlockedObservationReceivesNothingAndTheOthersDo(inOrder: Bool) {
        messenger.maintainsMessageOrder = inOrder
        let one = dog.listen(to: messenger, as: "one")
        dog.listen(to: messenger, as: "other")
        #expect(one.block() && one.block() && one.isBlocked)
        messenger.send(1)
        #expect(one.unblock() && one.isBlocked)
        messenger.send(2)
        #expect(one.unblock() && !one.unblock() && !one.isBlocked)
        messenger.send(3)
        one.blocked { messenger.send(4) }
        #expect(dog.heard == ["other 1", "other 2", "one 3", "other 3", "other 4"])
    }

    @Test func anEndedObservationCannotBeBlocked() {
        let observation = dog.observe(messenger) { _ in }
        observation.block()
        observation.stop()
        #expect(!observation.block() && !observation.unblock() && !observation.isBlocked)
        #expect(!dog.listen(to: messenger).isBlocked)
        messenger.send(1)
        #expect(dog.heard == ["1"])
    }

    @Test func blockingIsCountedOnManyThreads() {
        nonisolated(unsafe) var received = 0
        let observation = dog.observe(messenger) { _ in received += 1 }
        onThreads(4) { [messenger] index in
            for _ in 0..<500 {
                guard index > 0 else {
                    messenger.send(1)
                    continue
                }
                observation.blocked { messenger.blocked { _ = messenger.isBlocked } }
            }
        }
        #expect(!messenger.isBlocked && !observation.isBlocked)
        let before = received
        messenger.send(1)
        #expect(received == before + 1)
    }
}
