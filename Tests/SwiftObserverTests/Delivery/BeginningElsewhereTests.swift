// SPDX-License-Identifier: MIT

import SwiftObserver
import Testing
import TestSupport

@Suite("Beginning on a queue: who keeps whom, and threads") struct BeginningElsewhereTests {
    let messenger = Messenger<Int>()
    let queue = ManualQueue()

    @Test func noLockIsHeldWhileAnObservationBegins() {
        let replayer = messenger.replay(.all), cat = Cat(), log = Recorder<String>()
        messenger.send(1)
        cat.observe(replayer, beginningOn: queue) { [messenger, replayer] number in
            onOtherThread {
                let guest = Cat()
                guest.observe(replayer, beginningOn: CallingThread()) { _ in }.stop()
                guest.observe(messenger) { _ in }.stopAndWait()
            }.pass()
            log.record("\(number)")
        }
        queue.runAll()
        #expect(log.entries == ["1"])
    }

    @Test func whatAHandlerHoldsIsLetGoAtOnceWhenItIsStoppedBefore() {
        let leaked = leaks { track in
            let dog = Dog(), held = Sealed(content: track(Mortal()))
            dog.observe(messenger, beginningOn: queue) { _ in _ = held }.stop()
        }
        #expect(leaked.isEmpty && queue.count == 1)
    }

    @Test func neitherTheObserverNorTheObservableIsKept() {
        let leaked = leaks { track in
            let held = Sealed(content: track(Mortal()))
            track(Dog()).observe(messenger, beginningOn: queue) { _ in _ = held }
            let dog = Dog()
            dog.observe(track(Var(1)), replaying: .latest, beginningOn: queue) { _ in _ = held }
            dog.observe(track(Messenger<Int>()), beginningOn: queue).map { $0 }.receive { _ in _ = held }
        }
        #expect(leaked.isEmpty && queue.count == 3)
    }

    @Test(arguments: [false, true]) func nothingIsLeft(afterTheQueue hasRun: Bool) {
        let leaked = leaks { track in
            let dog = track(Dog()), number = track(Var(1)), held = Sealed(content: track(Mortal()))
            dog.observe(number, replaying: .latest, beginningOn: queue) { _ in _ = held }
            dog.observe(number, beginningOn: queue).new().receive(on: .async(queue)) { _ in _ = held }
            if hasRun { queue.runAll() } else { queue.dropAll() }
            number <- 2
            queue.runAll()
        }
        #expect(leaked.isEmpty)
    }

    @Test func noMessageOfOtherThreadsComesBeforeTheReplayOrTwice() {
        let over = Gate(), count = 3_000, replayer = messenger.replay(.all)
        let sending = onOtherThread { [messenger] in
            for number in 0..<count { messenger.send(number) }
            over.open()
        }
        let working = onOtherThread { [queue] in
            while !over.isOpen { queue.runNext() }
        }
        var cats: [Cat] = [], recorders: [Recorder<Int>] = []
        while !over.isOpen, cats.count < 100 {
            let cat = Cat(), recorder = Recorder<Int>()
            cat.observe(replayer, beginningOn: queue) { recorder.record($0) }
            cats.append(cat)
            recorders.append(recorder)
        }
        sending.pass()
        working.pass()
        queue.runAll()
        for recorder in recorders { #expect(recorder.entries == Array(0..<count)) }
        withExtendedLifetime(cats) {}
    }

    @Test func nothingArrivesAfterTheEndWhicheverThreadIsFaster() {
        let late = Recorder<Int>(), over = Flag(), deaths = Recorder<Void>(), rounds = 300
        let sending = onOtherThread { [messenger] in while !over.isRaised { messenger.send(1) } }
        let working = onOtherThread { [queue] in while !over.isRaised { queue.runNext() } }
        for round in 0..<rounds {
            let ended = Flag(), held = Sealed(content: Mortal { deaths.record() })
            var cat: Cat? = Cat()
            let observation = cat!.observe(messenger, beginningOn: queue) { _ in
                if ended.isRaised { late.record(round) }
                withExtendedLifetime(held) {}
            }
            switch round % 3 {
            case 0: observation.stopAndWait()
            case 1:
                cat = nil
                observation.stopAndWait()
            default:
                cat!.stopObserving(messenger)
                observation.stopAndWait()
            }
            ended.raise()
            #expect(!observation.isLiving)
        }
        over.raise()
        sending.pass()
        working.pass()
        queue.runAll()
        #expect(late.entries == [])
        #expect(deaths.count == rounds && !messenger.isObserved)
    }
}
