// SPDX-License-Identifier: MIT

import SwiftObserver
import Testing
import TestSupport

@Suite("Law 23: delivery is chosen per observation") struct Law23 {
    let messenger = Messenger<Int>(), cat = Cat(), queue = ManualQueue(), log = Recorder<String>()

    @Test func eachObservationHasItsOwnDelivery() {
        cat.observe(messenger, on: .async(queue)) { log.record("later \($0)") }
        cat.observe(messenger, on: .sync(CallingThread())) { log.record("waited for \($0)") }
        cat.observe(messenger, on: .directly) { log.record("directly \($0)") }
        messenger.send(1)
        #expect(log.entries == ["waited for 1", "directly 1"])
        messenger.send(2)
        queue.runNext()
        #expect(log.entries.suffix(3) == ["waited for 2", "directly 2", "later 1"])
        queue.runAll()
        #expect(log.entries.last == "later 2")
    }

    @Test func aQueueWithoutOrderKeepsThatOfEachObservation() {
        cat.observe(messenger, on: .async(queue)) { log.record("\($0)") }
        for number in 1...5 { messenger.send(number) }
        queue.runLast()
        queue.runNext()
        while queue.count > 0 { queue.runLast() }
        #expect(log.entries == ["1", "2", "3", "4", "5"])
    }

    @Test func everyFormOfHandlerIsCalledThere() {
        let author = Mortal(), mine = ObjectIdentifier(author), bell = Messenger<Void>()
        cat.observe(messenger, on: .async(queue)) { log.record("\($0) \(ObjectIdentifier($1) == mine)") }
        cat.observe(messenger).map { $0 * 10 }.receive(on: .async(queue)) {
            log.record("\($0) \(ObjectIdentifier($1) == mine)")
        }
        cat.observe(bell, on: .async(queue)) { log.record("rang") }
        cat.observe(bell).receive(on: .async(queue)) { log.record("rang ad hoc") }
        messenger.send(1, author: author)
        bell.send(())
        queue.runAll()
        #expect(log.entries == ["1 true", "10 true", "rang", "rang ad hoc"])
    }

    @Test func theStepsOfAChainRunBeforeTheQueue() {
        cat.observe(messenger)
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

    enum Stopping: CaseIterable {
        case observation, observationAndWait, observable, everything, deathOfTheObserver
        case everythingAfterTheDeathOfTheObservable, observationAfterTheDeathOfTheObservable, deathOfBoth
    }

    @Test(arguments: Stopping.allCases) func nothingThatWaitsArrivesAfterStop(_ stopping: Stopping) {
        var messenger: Messenger<Int>? = Messenger()
        var dog: Dog? = Dog()
        let observation = dog!.observe(messenger!, on: .async(queue)) { log.record("\($0)") }
        messenger!.send(1)
        messenger!.send(2)
        queue.runNext()
        #expect(observation.isLiving && dog!.isObserving(messenger!))
        switch stopping {
        case .observation: #expect(observation.stop() && !observation.stop() && !dog!.isObserving(messenger!))
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

    @Test func stopAndWaitWaitsForTheHandlerOnTheQueue() {
        let entered = Gate(), returned = Gate()
        let observation = cat.observe(messenger, on: .async(queue)) { [log] _ in
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
        cat.observe(messenger, on: .async(queue)) { [messenger, queue, log, unowned cat] number in
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

    @Test(arguments: [false, true]) func nothingIsLeftAfterAQueueThat(drops: Bool) {
        let leaked = leaks { track in
            let dog = track(Dog()), messenger = track(Messenger<Sealed>())
            let held = Sealed(content: track(Mortal()))
            dog.observe(messenger, on: .async(queue)) { _ in _ = held }
            dog.observe(messenger).map { $0 }.receive(on: .async(queue)) { _ in _ = held }
            messenger.send(Sealed(content: track(Mortal())))
            if drops { queue.dropAll() } else { queue.runAll() }
            #expect(drops || track.living == ["Dog", "Messenger<Sealed>", "Mortal"])
        }
        #expect(leaked.isEmpty)
    }

    @Test func noMessageIsLostOrReorderedBetweenThreads() {
        let senders = 4, each = 500, received = Recorder<Int>(), over = Flag()
        cat.observe(messenger, on: .async(queue)) { received.record($0) }
        let working = [0, 1].map { [queue] _ in
            onOtherThread { while !over.isRaised || queue.count > 0 { queue.runLast() } }
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
}
