// SPDX-License-Identifier: MIT

import SwiftObserver
import Testing
import TestSupport

@Suite("Law 23: delivery is chosen per observation") struct Law23 {
    let messenger = Messenger<Int>()
    let queue = ManualQueue()
    let log = Recorder<String>()

    @Test func theSenderWaitsForASynchronousDelivery() {
        let dog = Dog()
        dog.observe(messenger, on: .sync(CallingThread())) { log.record("received \($0)") }
        messenger.send(1)
        #expect(log.entries == ["received 1"])
    }

    @Test func nothingIsAskedOfADirectDelivery() {
        let dog = Dog()
        dog.observe(messenger, on: .directly) { log.record("received \($0)") }
        messenger.send(1)
        #expect(log.entries == ["received 1"])
    }

    @Test func aQueueWithoutOrderKeepsThatOfEachObservation() {
        let dog = Dog()
        dog.observe(messenger, on: .async(queue)) { log.record("\($0)") }
        for number in 1...5 { messenger.send(number) }
        queue.runLast()
        queue.runNext()
        while queue.count > 0 { queue.runLast() }
        #expect(log.entries == ["1", "2", "3", "4", "5"])
    }

    @Test func theAuthorComesAlong() {
        let dog = Dog(), author = Dog()
        let seen = Recorder<ObjectIdentifier>()
        dog.observe(messenger, on: .async(queue)) { _, author in seen.record(ObjectIdentifier(author)) }
        dog.observe(messenger).map { $0 + 1 }
            .receive(on: .async(queue)) { _, author in seen.record(ObjectIdentifier(author)) }
        messenger.send(1, author: author)
        queue.runAll()
        #expect(seen.entries == [ObjectIdentifier(author), ObjectIdentifier(author)])
    }

    @Test func nothingToSayCanBeSaidLater() {
        let bell = Messenger<Void>(), dog = Dog()
        dog.observe(bell, on: .async(queue)) { log.record("rang") }
        dog.observe(bell).receive(on: .async(queue)) { log.record("rang") }
        bell.send(())
        queue.runAll()
        #expect(log.entries == ["rang", "rang"])
    }

    @Test func theStepsOfAChainRunBeforeTheQueue() {
        let dog = Dog()
        dog.observe(messenger)
            .filter { [log] number in
                log.record("filter \(number)")
                return number > 1
            }
            .receive(on: .async(queue)) { log.record("received \($0)") }
        messenger.send(1)
        messenger.send(2)
        #expect(log.entries == ["filter 1", "filter 2"])
        queue.runAll()
        #expect(log.entries == ["filter 1", "filter 2", "received 2"])
    }

    @Test func aReplayObeys() {
        let number = Var(7), dog = Dog()
        dog.observe(number, replaying: .latest).new().receive(on: .async(queue)) { log.record("\($0)") }
        #expect(log.entries == [])
        number <- 8
        queue.runAll()
        #expect(log.entries == ["7", "8"])
    }

    @Test func anObservationThatEndsWithAMessageStillReceivesIt() {
        let dog = Dog()
        dog.observe(messenger).once().receive(on: .async(queue)) { log.record("\($0)") }
        messenger.send(1)
        messenger.send(2)
        #expect(!dog.isObserving(messenger))
        queue.runAll()
        #expect(log.entries == ["1"])
    }

    @Test(arguments: Stopping.allCases) func nothingThatWaitsArrivesAfterStop(_ stopping: Stopping) {
        var messenger: Messenger<Int>? = Messenger()
        var dog: Dog? = Dog()
        let observation = dog!.observe(messenger!, on: .async(queue)) { log.record("\($0)") }
        messenger!.send(1)
        messenger!.send(2)
        queue.runNext()
        switch stopping {
        case .observation: #expect(observation.stop())
        case .observationAndWait: #expect(observation.stopAndWait())
        case .observable: dog!.stopObserving(messenger!)
        case .everything: dog!.stopObserving()
        case .deathOfTheObserver: dog = nil
        case .everythingAfterTheDeathOfTheObservable:
            messenger = nil
            dog!.stopObserving()
        case .observationAfterTheDeathOfTheObservable:
            messenger = nil
            observation.stop()
        case .deathOfBoth:
            messenger = nil
            dog = nil
        }
        #expect(!observation.isLiving)
        queue.runAll()
        #expect(log.entries == ["1"])
    }

    enum Stopping: CaseIterable {
        case observation, observationAndWait, observable, everything, deathOfTheObserver
        case everythingAfterTheDeathOfTheObservable, observationAfterTheDeathOfTheObservable, deathOfBoth
    }

    @Test func anObservationIsKnownUntilItEnds() {
        let dog = Dog()
        let observation = dog.observe(messenger, on: .async(queue)) { _ in }
        #expect(observation.isLiving && dog.isObserving(messenger))
        #expect(observation.stop())
        #expect(!observation.isLiving && !dog.isObserving(messenger))
        #expect(!observation.stop())
    }

    @Test func stopAndWaitWaitsForTheHandlerOnTheQueue() {
        let dog = Dog(), entered = Gate(), returned = Gate()
        let observation = dog.observe(messenger, on: .async(queue)) { _ in
            entered.open()
            giveWay(until: returned)
            log.record("handled")
        }
        messenger.send(1)
        let working = onOtherThread { [queue] in queue.runAll() }
        entered.pass()
        observation.stopAndWait()
        log.record("stopped")
        returned.open()
        working.pass()
        #expect(log.entries == ["handled", "stopped"])
    }

    @Test func aHandlerOnAQueueMayDoEverything() {
        let cat = Cat()
        cat.observe(messenger, on: .async(queue)) { [messenger, queue, unowned cat] number in
            log.record("\(number)")
            guard number == 1 else { return }
            messenger.send(2)
            cat.observe(messenger, on: .async(queue)) { log.record("new \($0)") }
            messenger.send(3)
            cat.observe(messenger) { _ in }.stopAndWait()
        }
        messenger.send(1)
        queue.runAll()
        #expect(log.entries == ["1", "2", "3", "new 3"])
    }

    @Test func aQueueThatDropsItsJobsLeavesNothing() {
        let leaked = leaks { track in
            let dog = track(Dog()), messenger = track(Messenger<Sealed>())
            dog.observe(messenger, on: .async(queue)) { _ in }
            messenger.send(Sealed(content: track(Mortal())))
            queue.dropAll()
        }
        #expect(leaked.isEmpty)
    }

    @Test func nothingIsLeftWhenAllHasBeenDelivered() {
        let leaked = leaks { track in
            let dog = track(Dog()), messenger = track(Messenger<Sealed>())
            let held = Sealed(content: track(Mortal()))
            dog.observe(messenger, on: .async(queue)) { _ in _ = held }
            dog.observe(messenger).map { $0 }.receive(on: .async(queue)) { _ in _ = held }
            messenger.send(Sealed(content: track(Mortal())))
            queue.runAll()
            #expect(track.living == ["Dog", "Messenger<Sealed>", "Mortal"])
        }
        #expect(leaked.isEmpty)
    }

    @Test func whatAStoppedHandlerHeldIsLetGoThoughMessagesWait() {
        let leaked = leaks { track in
            let dog = Dog(), held = Sealed(content: track(Mortal()))
            dog.observe(messenger, on: .async(queue)) { _ in _ = held }
            messenger.send(1)
        }
        #expect(leaked.isEmpty && queue.count == 1)
    }

    @Test func noMessageIsLostOrReorderedBetweenThreads() {
        let dog = Dog(), senders = 4, each = 500
        let received = Recorder<Int>()
        dog.observe(messenger, on: .async(queue)) { received.record($0) }
        let over = Flag()
        let working = [0, 1].map { [queue] _ in
            onOtherThread {
                while !over.isRaised || queue.count > 0 { queue.runLast() }
            }
        }
        onThreads(senders) { [messenger] sender in
            for number in 0..<each { messenger.send(sender * each + number) }
        }
        over.raise()
        for worker in working { worker.pass() }
        queue.runAll()
        #expect(received.count == senders * each)
        for sender in 0..<senders {
            let mine = received.entries.filter { $0 / each == sender }
            #expect(mine == mine.sorted() && mine.count == each)
        }
    }

    /// An object whose only content nobody looks at.
    struct Sealed: @unchecked Sendable {
        let content: Mortal
    }
}
