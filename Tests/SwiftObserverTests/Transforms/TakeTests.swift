// SPDX-License-Identifier: MIT

import SwiftObserver
import Testing
import TestSupport

@Suite("take and once") struct TakeTests {
    @Test func onlyTheFirstMessagesPass() {
        expectNumbers("1 2 3 4", gives: "1 2", standing: { $0.take(2) }, adHoc: { $0.take(2) })
        expectNumbers("1 2", gives: "", standing: { $0.take(0) }, adHoc: { $0.take(0) })
        expectNumbers("1 2", gives: "1", standing: { $0.once() }, adHoc: { $0.once() })
    }

    @Test func theObservationEndsJustBeforeTheLastMessageIsReceived() {
        let messenger = Messenger<Int>(), dog = Dog()
        var living: [Bool] = []
        var observation: ObservationHandle?
        observation = dog.observe(messenger).take(2).receive { _ in living.append(observation!.isLiving) }
        messenger.send(1)
        messenger.send(2)
        #expect(living == [true, false])
        #expect(!dog.isObserving(messenger))
        #expect(dog.observe(messenger).take(0).receive { _ in }.isLiving == false)
    }

    @Test func onceIsOnceAlsoWhenTheHandlerSends() {
        let messenger = Messenger<Int>(), dog = Dog()
        var received: [Int] = []
        dog.observe(messenger).once().receive {
            received.append($0)
            messenger.send($0 + 1)
        }
        messenger.send(1)
        #expect(received == [1])
    }

    @Test func onceIsOnceWhicheverThreadSends() {
        for inOrder in [true, false] {
            let messenger = Messenger<Int>(), dog = Dog(), received = Recorder<Int>()
            messenger.maintainsMessageOrder = inOrder
            dog.observe(messenger).once().receive { received.record($0) }
            onThreads(4) { index in for _ in 0..<100 { messenger.send(index) } }
            #expect(received.count == 1)
        }
    }
}
