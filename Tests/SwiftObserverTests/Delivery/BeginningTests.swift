// SPDX-License-Identifier: MIT

import SwiftObserver
import Testing
import TestSupport

@Suite("Beginning on a queue") struct BeginningTests {
    let messenger = Messenger<Int>(), number = Var(1), cat = Cat()
    let queue = ManualQueue(), elsewhere = ManualQueue(), log = Recorder<String>()

    @Test func itsPlaceAmongTheOthersIsThatOfItsBeginning() {
        cat.observe(messenger, beginningOn: queue) { log.record("first called \($0)") }
        cat.observe(messenger) { log.record("first begun \($0)") }
        messenger.send(1)
        queue.runAll()
        messenger.send(2)
        #expect(log.entries == ["first begun 1", "first begun 2", "first called 2"])
    }

    @Test func everyFormOfHandlerBegins() {
        let author = Mortal(), bell = Messenger<Void>()
        let names = [ObjectIdentifier(author): "author", ObjectIdentifier(number): "number"]
        cat.observe(messenger, beginningOn: queue) { log.record("\($0) by \(names[ObjectIdentifier($1)] ?? "-")") }
        cat.observe(bell, beginningOn: queue) { log.record("rang") }
        cat.observe(bell, beginningOn: queue).receive { log.record("rang ad hoc") }
        cat.observe(messenger, beginningOn: queue).map { $0 * 10 }.receive { log.record("\($0)") }
        cat.observe(number, replaying: .latest, beginningOn: queue) {
            log.record("\($0.new) by \(names[ObjectIdentifier($1)] ?? "-")")
        }
        queue.runAll()
        messenger.send(1, author: author)
        bell.send(())
        #expect(log.entries == ["1 by number", "1 by author", "10", "rang", "rang ad hoc"])
    }

    @Test func theLatestMessageIsThatOfTheBeginningAndComesFirst() {
        cat.observe(number, replaying: .latest, beginningOn: queue) { log.record("\($0.old)>\($0.new)") }
        cat.observe(number, replaying: .none, beginningOn: queue) { log.record("none \($0.new)") }
        number <- 2
        #expect(log.entries == [])
        queue.runAll()
        #expect(log.entries == ["2>2"])
        number <- 3
        #expect(log.entries == ["2>2", "2>3", "none 3"])
    }

    @Test func whatTheObservableReplaysIsReceivedOnTheQueue() {
        let chat = messenger.replay(.last(2))
        for number in 1...3 { messenger.send(number) }
        cat.observe(chat, beginningOn: queue).filter { $0 != 2 }.receive { log.record("\($0)") }
        #expect(log.entries == [])
        messenger.send(4)
        queue.runAll()
        messenger.send(5)
        #expect(log.entries == ["3", "4", "5"])
    }

    @Test func aDeferredVariableReplaysOnTheQueueToo() {
        let level = DeferredVar(1)
        cat.observe(level, replaying: .latest, beginningOn: queue) { log.record("\($0.new)") }
        level.value = 2
        queue.runAll()
        level.value = 3
        #expect(log.entries == ["2", "3"])
    }

    @Test func aBeginningInsideADeliveryReceivesTheNextMessageFirst() {
        cat.observe(messenger) { number in
            guard number == 1 else { return }
            messenger.send(2)
            cat.observe(messenger, beginningOn: queue) { log.record("\($0)") }
            queue.runAll()
        }
        messenger.send(1)
        #expect(log.entries == ["2"])
    }

    @Test(arguments: [false, true], [false, true])
    func anObservationThatEndsWithAMessageStillReceivesIt(isReplayed: Bool, isDelivered: Bool) {
        let chain = cat.observe(number, replaying: isReplayed ? .latest : .none, beginningOn: queue).new().once()
        let observation =
            isDelivered
            ? chain.receive(on: .async(elsewhere)) { log.record("\($0)") } : chain.receive { log.record("\($0)") }
        queue.runAll()
        number <- 2
        number <- 3
        #expect(!cat.isObserving(number) && !number.isObserved)
        elsewhere.runAll()
        #expect(log.entries == [isReplayed ? "1" : "2"])
        #expect(isDelivered || !observation.isLiving)
    }

    @Test func theDeliveryIsChosenApartFromTheBeginning() {
        cat.observe(number, replaying: .latest, beginningOn: queue).new()
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
        do {
            let mortal = Messenger<Int>()
            cat.observe(mortal, beginningOn: queue).receive(on: .async(queue)) { log.record("\($0)") }
            queue.runAll()
            mortal.send(1)
        }
        queue.runAll()
        #expect(log.entries == ["1"])
    }

    @Test func aQueueThatRunsItsJobAgainBeginsOnce() {
        struct Stutter: DeliveryQueue {
            func runLater(_ job: @escaping @Sendable () -> Void) {
                job()
                job()
            }
        }
        let replayer = messenger.replay(.all)
        messenger.send(1)
        cat.observe(replayer, beginningOn: Stutter()) { log.record("\($0)") }
        messenger.send(2)
        #expect(log.entries == ["1", "2"] && replayer.observationCount == 1)
    }

    @Test func chainsThatBeginOnAQueueCanBeMerged() {
        let other = Messenger<Int>()
        let observation = cat.observe(messenger, beginningOn: queue)
            .merge(cat.observe(other).map { $0 * 10 }).receive { log.record("\($0)") }
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
        let messenger = messenger, done = Gate()
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
        let isRunning = Flag()
        messenger.maintainsMessageOrder = false
        cat.observe(messenger, beginningOn: queue) { number in
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
