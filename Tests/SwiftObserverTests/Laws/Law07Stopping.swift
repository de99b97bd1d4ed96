// SPDX-License-Identifier: MIT

import SwiftObserver
import Testing
import TestSupport

@Suite("Law 7: once stop has returned, no new call begins") struct Law7 {
    @Test(arguments: [true, false])
    func stopAndWaitReturnsWhenTheHandlerHasReturned(inOrder: Bool) {
        let messenger = Messenger<Int>(), dog = Dog(), log = Recorder<String>()
        messenger.maintainsMessageOrder = inOrder
        let entered = Gate(), returned = Gate()
        let observation = dog.observe(messenger) { _ in
            entered.open()
            giveWay(until: returned)
            log.record("handled")
        }
        let sending = onOtherThread { messenger.send(1) }
        entered.pass()
        observation.stopAndWait()
        log.record("stopped")
        returned.open()
        sending.pass()
        #expect(log.entries == ["handled", "stopped"])
    }

    @Test(arguments: [true, false])
    func plainStopDoesNotWait(inOrder: Bool) {
        let messenger = Messenger<Int>(), dog = Dog()
        messenger.maintainsMessageOrder = inOrder
        let entered = Gate(), stopped = Gate()
        let observation = dog.observe(messenger) { _ in
            entered.open()
            stopped.pass()
        }
        let sending = onOtherThread { messenger.send(1) }
        entered.pass()
        observation.stop()
        stopped.open()
        sending.pass()
    }

    @Test(arguments: [true, false])
    func stopAndWaitFromInsideTheHandlerReturnsAtOnce(inOrder: Bool) {
        let messenger = Messenger<Int>(), dog = Dog()
        messenger.maintainsMessageOrder = inOrder
        var log: [String] = []
        var observation: ObservationHandle?
        observation = dog.observe(messenger) { _ in
            let wasLiving = observation?.stopAndWait() == true
            log.append("was living: \(wasLiving)")
        }
        messenger.send(1)
        messenger.send(2)
        #expect(log == ["was living: true"])
    }

    @Test func stopAndWaitAlsoWaitsForAnObservationStoppedBefore() {
        let messenger = Messenger<Int>(), dog = Dog(), log = Recorder<String>()
        let entered = Gate(), returned = Gate()
        let observation = dog.observe(messenger) { _ in
            entered.open()
            giveWay(until: returned)
            log.record("handled")
        }
        let sending = onOtherThread { messenger.send(1) }
        entered.pass()
        observation.stop()
        #expect(!observation.stopAndWait())
        log.record("stopped")
        returned.open()
        sending.pass()
        #expect(log.entries == ["handled", "stopped"])
    }

    @Test func noCallBeginsOnAnyThreadOnceStopAndWaitHasReturned() {
        let messenger = Messenger<Int>(), late = Recorder<Int>(), over = Gate()
        let sending = onOtherThread {
            while !over.isOpen { messenger.send(1) }
        }
        for round in 0..<500 {
            let dog = Dog()
            let flag = Flag()
            let observation = dog.observe(messenger) { _ in
                if flag.isRaised { late.record(round) }
            }
            observation.stopAndWait()
            flag.raise()
        }
        over.open()
        sending.pass()
        #expect(late.entries == [])
    }

    @Test func whatStoodInLineBeforeAnAdHocTransformDoesNotArriveAfterTheStop() {
        let messenger = Messenger<Int>(), dog = Dog(), entered = Gate(), release = Gate(), received = Recorder<Int>()
        messenger.maintainsMessageOrder = false
        let observation = dog.observe(messenger).filter { _ in true }.receive { number in
            received.record(number)
            entered.open()
            release.pass()
        }
        let sending = onOtherThread { messenger.send(1) }
        entered.pass()
        messenger.send(2)
        observation.stop()
        release.open()
        sending.pass()
        #expect(received.entries == [1])
    }
}
