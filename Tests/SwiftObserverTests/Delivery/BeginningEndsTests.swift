// SPDX-License-Identifier: MIT

import SwiftObserver
import Testing
import TestSupport

@Suite("Beginning on a queue: the end, before and after") struct BeginningEndsTests {
    let messenger = Messenger<Int>(), cat = Cat(), queue = ManualQueue(), log = Recorder<String>()

    enum Ending: CaseIterable {
        case observation, observationAndWait, observable, everything, deathOfTheObserver, deathOfTheObservable

        func end(_ observation: ObservationHandle, _ dog: inout Dog?, _ number: inout Var<Int>?) {
            switch self {
            case .observation: #expect(observation.stop())
            case .observationAndWait: #expect(observation.stopAndWait())
            case .observable: dog!.stopObserving(number!)
            case .everything: dog!.stopObserving()
            case .deathOfTheObserver: dog = nil
            case .deathOfTheObservable: number = nil
            }
        }
    }

    @Test(arguments: Ending.allCases, [(false, false), (false, true), (true, false), (true, true)])
    func anObservationEndsAsAnyOtherBeforeItsTurnAndAfter(_ ending: Ending, _ way: (isDelivered: Bool, hasBegun: Bool))
    {
        var number: Var<Int>? = Var(1), dog: Dog? = Dog()
        func begin() -> ObservationHandle {
            let chain = dog!.observe(number!, replaying: .latest, beginningOn: queue).new()
            guard way.isDelivered else { return chain.receive { log.record("\($0)") } }
            return chain.receive(on: .async(queue)) { log.record("\($0)") }
        }
        let observation = begin()
        if way.hasBegun { queue.runAll() }
        let received = way.hasBegun ? ["1"] : []
        #expect(log.entries == received && number!.observationCount == 1)
        #expect(observation.isLiving && dog!.isObserving(number!))
        ending.end(observation, &dog, &number)
        let waits = way.isDelivered && way.hasBegun && ending == .deathOfTheObservable
        #expect(waits || !observation.isLiving)
        if let dog, let number { #expect(!dog.isObserving(number)) }
        queue.runAll()
        number.map { $0 <- 2 }
        queue.runAll()
        #expect(log.entries == received && number?.isObserved != true)
    }

    @Test func whatWaitsIsNotReceivedAfterStop() {
        let observation = cat.observe(messenger, beginningOn: queue).map { $0 }.receive(on: .async(queue)) {
            log.record("\($0)")
        }
        queue.runAll()
        messenger.send(1)
        messenger.send(2)
        queue.runNext()
        cat.stopObserving(messenger)
        #expect(!observation.isLiving)
        queue.runAll()
        #expect(log.entries == ["1"])
    }

    @Test func aBlockedObservationReceivesNothing() {
        let observation = cat.observe(messenger, beginningOn: queue) { log.record("\($0)") }
        #expect(observation.block())
        queue.runAll()
        messenger.send(1)
        #expect(observation.unblock())
        messenger.send(2)
        #expect(log.entries == ["2"])
    }

    @Test(arguments: [true, false]) func anObservationMayEndInTheMiddleOfItsReplay(byItsHandler: Bool) {
        let replayer = messenger.replay(.all), observation = Recorder<ObservationHandle>(), entered = Gate()
        for number in 1...3 { messenger.send(number) }
        observation.record(
            cat.observe(replayer, beginningOn: queue) { number in
                if byItsHandler {
                    #expect(observation.entries[0].stopAndWait())
                } else {
                    entered.open()
                    // Until the other thread has stopped the observation, and waits for this.
                    while observation.entries[0].isLiving { giveWay() }
                }
                log.record("handled \(number)")
            })
        let working = onOtherThread { [queue] in queue.runAll() }
        if !byItsHandler {
            entered.pass()
            observation.entries[0].stopAndWait()
            log.record("stopped")
        }
        working.pass()
        messenger.send(4)
        #expect(log.entries == ["handled 1"] + (byItsHandler ? [] : ["stopped"]))
        #expect(!observation.entries[0].isLiving && !replayer.isObserved)
    }
}
