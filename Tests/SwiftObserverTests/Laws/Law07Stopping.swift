// SPDX-License-Identifier: MIT

import SwiftObserver
import Testing
import TestSupport

@Suite("Laws 7, 9 and 10: once stop has returned, no new call begins; handles name one observation") struct Law7 {
    let messenger = Messenger<Int>(), dog = Dog(), log = Recorder<String>()

    /// Begins to observe with a handler that says when it is in, and returns after a while.
    private func observeSlowly(_ entered: Gate, _ returned: Gate) -> ObservationHandle {
        dog.observe(messenger) { [log] _ in
            entered.open()
            giveWay(until: returned)
            log.record("handled")
        }
    }

    @Test(arguments: [true, false], [true, false])
    func stopAndWaitReturnsWhenTheHandlerHasReturned(inOrder: Bool, isStoppedBefore: Bool) {
        messenger.maintainsMessageOrder = inOrder
        let entered = Gate(), returned = Gate(), observation = observeSlowly(entered, returned)
        let sending = onOtherThread { [messenger] in messenger.send(1) }
        entered.pass()
        if isStoppedBefore { observation.stop() }
        #expect(observation.stopAndWait() != isStoppedBefore)
        log.record("stopped")
        returned.open()
        sending.pass()
        #expect(log.entries == ["handled", "stopped"])
    }

    @Test func plainStopDoesNotWaitWithoutOrderEither() {
        messenger.maintainsMessageOrder = false
        let entered = Gate(), stopped = Gate()
        let observation = dog.observe(messenger) { _ in
            entered.open()
            stopped.pass()
        }
        let sending = onOtherThread { [messenger] in messenger.send(1) }
        entered.pass()
        observation.stop()
        stopped.open()
        sending.pass()
    }

    @Test func noCallBeginsOnAnyThreadOnceStopAndWaitHasReturned() {
        let late = Recorder<Int>(), over = Gate()
        let sending = onOtherThread { [messenger] in while !over.isOpen { messenger.send(1) } }
        for round in 0..<500 {
            let guest = Dog(), flag = Flag()
            let observation = guest.observe(messenger) { _ in if flag.isRaised { late.record(round) } }
            withExtendedLifetime(guest) { _ = observation.stopAndWait() }
            flag.raise()
        }
        over.open()
        sending.pass()
        #expect(late.entries == [])
    }

    @Test func whatStoodInLineBeforeAnAdHocTransformDoesNotArriveAfterTheStop() {
        let entered = Gate(), release = Gate()
        messenger.maintainsMessageOrder = false
        let observation = dog.observe(messenger).filter { _ in true }.receive { [log] number in
            log.record("\(number)")
            entered.open()
            release.pass()
        }
        let sending = onOtherThread { [messenger] in messenger.send(1) }
        entered.pass()
        messenger.send(2)
        observation.stop()
        release.open()
        sending.pass()
        #expect(log.entries == ["1"])
    }

    @Test func aStaleHandleNamesNoLaterObservation() {
        let stale = (0..<2_000).map { _ in
            let observation = dog.observe(messenger) { _ in }
            #expect(observation.isLiving && observation.stop() && !observation.isLiving)
            return observation
        }
        let living = dog.listen(to: messenger)
        for observation in stale { #expect(!observation.stop() && !observation.stopAndWait()) }
        messenger.send(1)
        #expect(dog.heard == ["1"] && living.isLiving)
        #expect(Set(stale).count == 2_000)
    }

    @Test func aHandleOutlivesEverythingItNamed() {
        func make() -> ObservationHandle { Dog().observe(Messenger<Int>()) { _ in } }
        let observation = make()
        #expect(!observation.isLiving && !observation.stop())
    }

    @Test func onlyOneOfManyThreadsStopsAnObservation() {
        for _ in 0..<100 {
            let observation = dog.observe(messenger) { _ in }, stopped = Recorder<Void>()
            onThreads(3) { _ in if observation.stop() { stopped.record() } }
            #expect(stopped.count == 1)
        }
    }
}
