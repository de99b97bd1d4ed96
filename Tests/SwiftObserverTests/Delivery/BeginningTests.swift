// SPDX-License-Identifier: MIT

import SwiftObserver
import Testing
import TestSupport

@Suite("Beginning on a queue") struct BeginningTests {
    let messenger = Messenger<Int>()
    let queue = ManualQueue()
    let log = Recorder<String>()

    @Test func anObservationBeginsWhenTheQueueComesToIt() {
        let dog = Dog()
        dog.observe(messenger, beginningOn: queue) { log.record("\($0)") }
        messenger.send(1)
        queue.runAll()
        messenger.send(2)
        #expect(log.entries == ["2"])
    }

    @Test func itsPlaceAmongTheOthersIsThatOfItsBeginning() {
        let dog = Dog()
        dog.observe(messenger, beginningOn: queue) { log.record("first called \($0)") }
        dog.observe(messenger) { log.record("first begun \($0)") }
        queue.runAll()
        messenger.send(1)
        #expect(log.entries == ["first begun 1", "first called 1"])
    }

    @Test func everyFormOfHandlerBegins() {
        let dog = Dog(), author = Dog(), bell = Messenger<Void>(), number = Var(1)
        let authors = Recorder<ObjectIdentifier>()
        dog.observe(messenger, beginningOn: queue) { _, author in authors.record(ObjectIdentifier(author)) }
        dog.observe(bell, beginningOn: queue) { log.record("rang") }
        dog.observe(bell, beginningOn: queue).receive { log.record("rang") }
        dog.observe(messenger, beginningOn: queue).map { $0 * 10 }.receive { log.record("\($0)") }
        dog.observe(number, replaying: .latest, beginningOn: queue) { _, author in
            authors.record(ObjectIdentifier(author))
        }
        queue.runAll()
        messenger.send(1, author: author)
        bell.send(())
        #expect(log.entries == ["10", "rang", "rang"])
        #expect(authors.entries == [ObjectIdentifier(number), ObjectIdentifier(author)])
    }

    @Test func theLatestMessageIsThatOfTheBeginningAndComesFirst() {
        let number = Var(1), dog = Dog()
        dog.observe(number, replaying: .latest, beginningOn: queue) { log.record("\($0.old) \($0.new)") }
        number <- 2
        #expect(log.entries == [])
        queue.runAll()
        #expect(log.entries == ["2 2"])
        number <- 3
        #expect(log.entries == ["2 2", "2 3"])
    }

    @Test func noneIsReplayedUnlessAskedFor() {
        let number = Var(1), dog = Dog()
        dog.observe(number, replaying: .none, beginningOn: queue) { log.record("\($0.new)") }
        queue.runAll()
        #expect(log.entries == [])
    }

    @Test func whatTheObservableReplaysIsReceivedOnTheQueue() {
        let chat = messenger.replay(.last(2)), dog = Dog()
        for number in 1...3 { messenger.send(number) }
        dog.observe(chat, beginningOn: queue).filter { $0 != 2 }.receive { log.record("\($0)") }
        #expect(log.entries == [])
        messenger.send(4)
        queue.runAll()
        messenger.send(5)
        #expect(log.entries == ["3", "4", "5"])
    }

    @Test func aDeferredVariableReplaysOnTheQueueToo() {
        let level = DeferredVar(1), dog = Dog()
        dog.observe(level, replaying: .latest, beginningOn: queue) { log.record("\($0.new)") }
        level.value = 2
        queue.runAll()
        level.value = 3
        #expect(log.entries == ["2", "3"])
    }

    @Test func aBeginningInsideADeliveryReceivesTheNextMessageFirst() {
        let dog = Dog()
        dog.observe(messenger) { [messenger, queue, log] number in
            guard number == 1 else { return }
            messenger.send(2)
            dog.observe(messenger, beginningOn: queue) { log.record("\($0)") }
            queue.runAll()
        }
        messenger.send(1)
        #expect(log.entries == ["2"])
    }

    @Test func onceCountsWhatIsReplayed() {
        let number = Var(1), dog = Dog()
        let observation = dog.observe(number, replaying: .latest, beginningOn: queue).new().once().receive {
            log.record("\($0)")
        }
        queue.runAll()
        number <- 2
        #expect(log.entries == ["1"])
        #expect(!observation.isLiving && !number.isObserved)
    }

    @Test(arguments: [false, true]) func anObservationThatEndsWithAMessageStillReceivesIt(isReplayed: Bool) {
        let number = Var(1), dog = Dog(), elsewhere = ManualQueue()
        let replay: BufferReplay = isReplayed ? .latest : .none
        dog.observe(number, replaying: replay, beginningOn: queue).new().once()
            .receive(on: .async(elsewhere)) { log.record("\($0)") }
        queue.runAll()
        number <- 2
        number <- 3
        #expect(!dog.isObserving(number) && !number.isObserved)
        elsewhere.runAll()
        #expect(log.entries == [isReplayed ? "1" : "2"])
    }

    @Test func theDeliveryIsChosenApartFromTheBeginning() {
        let number = Var(7), dog = Dog(), elsewhere = ManualQueue()
        dog.observe(number, replaying: .latest, beginningOn: queue).new()
            .receive(on: .async(elsewhere)) { log.record("\($0)") }
        number <- 8
        elsewhere.runAll()
        #expect(log.entries == [])
        queue.runAll()
        number <- 9
        #expect(log.entries == [])
        elsewhere.runAll()
        #expect(log.entries == ["8", "9"])
    }

    @Test func whatWaitsWhenTheObservableDiesArrives() {
        let dog = Dog()
        do {
            let mortal = Messenger<Int>()
            dog.observe(mortal, beginningOn: queue).receive(on: .async(queue)) { log.record("\($0)") }
            queue.runAll()
            mortal.send(1)
        }
        queue.runAll()
        #expect(log.entries == ["1"])
    }

    @Test func aQueueThatRunsItsJobAgainBeginsOnce() {
        let replayer = messenger.replay(.all), dog = Dog()
        messenger.send(1)
        dog.observe(replayer, beginningOn: Stutter()) { log.record("\($0)") }
        messenger.send(2)
        #expect(log.entries == ["1", "2"] && replayer.observationCount == 1)
    }

    private struct Stutter: DeliveryQueue {
        func runLater(_ job: @escaping @Sendable () -> Void) {
            job()
            job()
        }
    }

    @Test func chainsThatBeginOnAQueueCanBeMerged() {
        let dog = Dog(), other = Messenger<Int>()
        let observation = dog.observe(messenger, beginningOn: queue)
            .merge(dog.observe(other).map { $0 * 10 }).receive { log.record("\($0)") }
        messenger.send(1)
        other.send(1)
        queue.runAll()
        messenger.send(2)
        #expect(log.entries == ["10", "2"])
        observation.stop()
        messenger.send(3)
        other.send(3)
        #expect(log.entries == ["10", "2"] && !messenger.isObserved && !other.isObserved)
    }

    @Test @MainActor func aClosureFormedOnTheMainActorStaysThere() async {
        let messenger = messenger, cat = Cat(), done = Gate()
        cat.observe(messenger, beginningOn: queue).map { $0 + 1 }.receive { number in
            MainActor.assertIsolated()
            #expect(number == 2)
            done.open()
        }
        queue.runAll()
        onOtherThread { messenger.send(1) }
        await done.opened()
    }

    @Test func withoutOrderTheClosureIsCalledForOneMessageAtATime() {
        let dog = Dog(), isRunning = Flag()
        messenger.maintainsMessageOrder = false
        dog.observe(messenger, beginningOn: queue) { number in
            #expect(!isRunning.isRaised)
            isRunning.raise()
            log.record("\(number)")
            isRunning.lower()
        }
        queue.runAll()
        onThreads(4) { [messenger] _ in for number in 0..<500 { messenger.send(number) } }
        #expect(log.count == 2_000)
    }
}
