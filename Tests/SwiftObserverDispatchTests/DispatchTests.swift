// SPDX-License-Identifier: MIT

import Dispatch
import SwiftObserver
import SwiftObserverDispatch
import Testing
import TestSupport

@Suite("Delivery on dispatch queues") struct DispatchTests {
    final class Cat: Observer, Sendable {
        let receiver = Receiver()
    }

    let messenger = Messenger<Int>()
    let cat = Cat()
    let log = Recorder<Int>()
    let queue = DispatchQueue(label: "cat")

    @Test func aMessageWaitsForTheQueue() {
        queue.suspend()
        cat.observe(messenger, on: .async(queue)) { [queue] number in
            dispatchPrecondition(condition: .onQueue(queue))
            log.record(number)
        }
        messenger.send(1)
        messenger.send(2)
        #expect(log.entries == [])
        queue.resume()
        queue.sync {}
        #expect(log.entries == [1, 2])
    }

    @Test func theSenderWaitsForASynchronousDelivery() {
        cat.observe(messenger, on: .sync(queue)) { [queue] number in
            dispatchPrecondition(condition: .onQueue(queue))
            log.record(number)
        }
        messenger.send(1)
        #expect(log.entries == [1])
    }

    @Test func aHandlerCalledSynchronouslyMaySend() {
        cat.observe(messenger, on: .sync(queue)) { [messenger] number in
            log.record(number)
            if number < 3 { messenger.send(number + 1) }
        }
        messenger.send(1)
        #expect(log.entries == [1, 2, 3])
    }

    @Test func anObservationBeginsOnAQueue() {
        let number = Var(1)
        queue.suspend()
        cat.observe(number, replaying: .latest, beginningOn: queue) { [queue] update in
            dispatchPrecondition(condition: update.isChange ? .notOnQueue(queue) : .onQueue(queue))
            log.record(update.new)
        }
        number <- 2
        #expect(log.entries == [])
        queue.resume()
        queue.sync {}
        number <- 3
        #expect(log.entries == [2, 3])
    }

    /// What begins meanwhile on the queue leaves its replay to the thread that delivers.
    @Test func aReplayThatBeginsDuringADeliveryOnAnotherThreadComesThere() {
        let number = Var(1), entered = Gate(), release = Gate()
        cat.observe(number) { _ in
            entered.open()
            release.pass()
        }
        let setting = onOtherThread { number <- 2 }
        entered.pass()
        cat.observe(number, replaying: .latest, beginningOn: queue) { [queue] update in
            dispatchPrecondition(condition: .notOnQueue(queue))
            log.record(update.new)
        }
        queue.sync {}
        #expect(log.entries == [])
        release.open()
        setting.pass()
        #expect(log.entries == [2])
    }

    @Test func sendingOnTheQueueThatWouldHaveToWaitEndsTheProgram() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let messenger = Messenger<Int>(), cat = Cat(), queue = DispatchQueue(label: "cat")
            cat.observe(messenger, on: .sync(queue)) { _ in }
            queue.sync { messenger.send(1) }
        }
        let sentence = "cannot be delivered on it synchronously: it would wait for itself"
        #expect(isSaid(sentence, in: result?.standardErrorContent))
    }

    @Test func aConcurrentQueueDeliversOneAtATimeAndInOrder() {
        let concurrent = DispatchQueue(label: "cats", attributes: .concurrent), count = 2_000
        let done = Gate(), isRunning = Flag()
        cat.observe(messenger, on: .async(concurrent)) { number in
            #expect(!isRunning.isRaised)
            isRunning.raise()
            log.record(number)
            isRunning.lower()
            if number == count { done.open() }
        }
        for number in 1...count { messenger.send(number) }
        done.pass()
        #expect(log.entries == Array(1...count))
    }

    @Test func theWellKnownQueuesAreNamedShortly() {
        let done = Gate()
        cat.observe(messenger, on: .async(.global())) { _ in done.open() }
        cat.observe(messenger, on: .async(.main)) { _ in }.stop()
        cat.observe(messenger, beginningOn: .global()) { _ in }.stop()
        cat.observe(messenger, on: .sync(.global(qos: .utility))) { log.record($0) }
        messenger.send(1)
        done.pass()
        #expect(log.entries == [1])
    }

    @Test func stopAndWaitOnTheQueueDoesNotWaitForItself() {
        let observation = cat.observe(messenger, on: .sync(queue)) { log.record($0) }
        let entered = Gate()
        queue.async {
            entered.open()
            // So that the other thread begins to wait for this queue; the result is the same if it has not.
            giveWay()
            observation.stopAndWait()
        }
        entered.pass()
        messenger.send(1)
        #expect(log.entries == [])
    }

    @Test(arguments: [true, false]) func nothingArrivesAfterStopWhateverThreadsDo(inOrder: Bool) {
        messenger.maintainsMessageOrder = inOrder
        let late = Recorder<Int>(), over = Flag()
        let sending = onOtherThread { [messenger] in
            while !over.isRaised { messenger.send(1) }
        }
        for round in 0..<200 {
            let stopped = Flag()
            let observation = cat.observe(messenger, on: .async(.global())) { _ in
                if stopped.isRaised { late.record(round) }
            }
            observation.stopAndWait()
            stopped.raise()
        }
        over.raise()
        sending.pass()
        #expect(late.entries == [])
    }
}
