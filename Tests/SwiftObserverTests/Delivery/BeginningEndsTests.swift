// SPDX-License-Identifier: MIT

import SwiftObserver
import Testing
import TestSupport

@Suite("Beginning on a queue: the end, before and after") struct BeginningEndsTests {
    let messenger = Messenger<Int>()
    let queue = ManualQueue()
    let log = Recorder<String>()

    @Test(arguments: Ending.allCases, [false, true])
    func anObservationThatIsOverBeforeItsTurnNeverBegins(_ ending: Ending, isDelivered: Bool) {
        var number: Var<Int>? = Var(1), dog: Dog? = Dog()
        let observation = observe(number!, dog!, isDelivered: isDelivered)
        #expect(observation.isLiving && dog!.isObserving(number!))
        ending.end(observation, &dog, &number)
        #expect(!observation.isLiving)
        #expect(dog.map { dog in number.map { dog.isObserving($0) } ?? false } != true)
        queue.runAll()
        number.map { $0 <- 2 }
        queue.runAll()
        #expect(log.entries == [])
        #expect(number?.isObserved != true)
        #expect(!observation.stop())
    }

    @Test(arguments: Ending.allCases, [false, true])
    func anObservationThatHasBegunEndsAsAnyOther(_ ending: Ending, isDelivered: Bool) {
        var number: Var<Int>? = Var(1), dog: Dog? = Dog()
        let observation = observe(number!, dog!, isDelivered: isDelivered)
        queue.runAll()
        #expect(log.entries == ["1"] && number!.observationCount == 1)
        #expect(observation.isLiving && dog!.isObserving(number!))
        ending.end(observation, &dog, &number)
        #expect(!observation.isLiving || isDelivered && ending == .deathOfTheObservable)
        number.map { $0 <- 2 }
        queue.runAll()
        #expect(log.entries == ["1"])
        #expect(number?.isObserved != true)
    }

    private func observe(_ number: Var<Int>, _ dog: Dog, isDelivered: Bool) -> ObservationHandle {
        let chain = dog.observe(number, replaying: .latest, beginningOn: queue).new()
        guard isDelivered else { return chain.receive { log.record("\($0)") } }
        return chain.receive(on: .async(queue)) { log.record("\($0)") }
    }

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

    @Test func whatWaitsIsNotReceivedAfterStop() {
        let dog = Dog()
        let observation = dog.observe(messenger, beginningOn: queue).map { $0 }.receive(on: .async(queue)) {
            log.record("\($0)")
        }
        queue.runAll()
        messenger.send(1)
        messenger.send(2)
        queue.runNext()
        dog.stopObserving(messenger)
        #expect(!observation.isLiving)
        queue.runAll()
        #expect(log.entries == ["1"])
    }

    @Test func aHandlerMayEndItsObservationInTheReplay() {
        let replayer = messenger.replay(.all), dog = Dog()
        let holder = Recorder<ObservationHandle>()
        for number in 1...3 { messenger.send(number) }
        holder.record(
            dog.observe(replayer, beginningOn: queue) { number in
                log.record("\(number)")
                if number == 2 { #expect(holder.entries[0].stopAndWait()) }
            })
        queue.runAll()
        messenger.send(4)
        #expect(log.entries == ["1", "2"])
        #expect(!holder.entries[0].isLiving && !replayer.isObserved)
    }

    @Test func aBlockedObservationReceivesNothing() {
        let dog = Dog()
        let observation = dog.observe(messenger, beginningOn: queue) { log.record("\($0)") }
        #expect(observation.block())
        queue.runAll()
        messenger.send(1)
        #expect(observation.unblock())
        messenger.send(2)
        #expect(log.entries == ["2"])
    }

    @Test func stopAndWaitWaitsForTheReplayOnTheQueue() {
        let replayer = messenger.replay(.all), cat = Cat(), entered = Gate(), returned = Gate()
        messenger.send(1)
        messenger.send(2)
        let observation = cat.observe(replayer, beginningOn: queue) { number in
            entered.open()
            giveWay(until: returned)
            log.record("handled \(number)")
        }
        let working = onOtherThread { [queue] in queue.runAll() }
        entered.pass()
        observation.stopAndWait()
        log.record("stopped")
        returned.open()
        working.pass()
        #expect(log.entries == ["handled 1", "stopped"])
    }
}
