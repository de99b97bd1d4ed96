// SPDX-License-Identifier: MIT

import SwiftObserver
import Testing
import TestSupport

@Suite("Law 19: a replay goes to the new observer only, in order, before any later message") struct Law19 {
    @Test func onlyAsMuchIsReplayedAsWasAskedFor() {
        let messenger = Messenger<Int>(), dog = Dog()
        let expected: [(Remembered, [Int])] = [
            (.none, []), (.latest, [5]), (.last(3), [3, 4, 5]), (.last(9), [1, 2, 3, 4, 5]), (.last(0), []),
            (.all, [1, 2, 3, 4, 5]),
        ]
        let replayers = expected.map { messenger.replay($0.0) }
        for number in 1...5 { messenger.send(number) }
        var received = replayers.map { _ in [Int]() }
        for index in replayers.indices {
            #expect(replayers[index].remembered == expected[index].1)
            dog.observe(replayers[index]) { received[index].append($0) }
        }
        #expect(received == expected.map(\.1))
        withExtendedLifetime(replayers) { messenger.send(6) }
        #expect(received == expected.map { $0.1 + [6] })
    }

    /// Fault 9 of the published code: nothing replayed, everything kept.
    @Test func whatIsNotRememberedIsNotKept() {
        let messenger = Messenger<Mortal>()
        let none = messenger.replay(.none), last = messenger.replay(.last(2))
        let tracker = Tracker()
        for _ in 0..<10 { messenger.send(tracker(Mortal())) }
        #expect(tracker.living.count == 2)
        withExtendedLifetime((none, last)) {}
    }

    @Test func duringADeliveryAReplayComesAfterTheMessageAndIncludesIt() {
        let messenger = Messenger<Int>(), dog = Dog()
        let replayer = messenger.replay(.all)
        var log: [String] = []
        dog.observe(replayer) { number in
            log.append("old \(number)")
            guard number == 2 else { return }
            replayer.send(3)
            dog.observe(replayer) { log.append("new \($0)") }
            log.append("observed")
        }
        messenger.send(1)
        messenger.send(2)
        #expect(log == ["old 1", "old 2", "observed", "new 1", "new 2", "old 3", "new 3"])
    }

    @Test func anObservationStoppedBeforeItsReplayReceivesNothing() {
        let messenger = Messenger<Int>(), dog = Dog()
        let replayer = messenger.replay(.all)
        var received: [Int] = []
        var deaths = 0
        dog.observe(replayer) { number in
            let mortal = Mortal { deaths += 1 }
            let observation = dog.observe(replayer) { number in
                withExtendedLifetime(mortal) { received.append(number) }
            }
            #expect(observation.isLiving)
            #expect(observation.stop())
            #expect(!observation.isLiving)
        }
        messenger.send(1)
        messenger.send(2)
        #expect(received == [])
        #expect(deaths == 2)
    }

    @Test func anObservationCanBeStoppedInTheMiddleOfItsReplay() {
        let messenger = Messenger<Int>(), dog = Dog()
        let replayer = messenger.replay(.all)
        for number in 1...5 { messenger.send(number) }
        var received: [Int] = []
        dog.observe(replayer).take(2).receive { received.append($0) }
        #expect(received == [1, 2])
        dog.observe(replayer) { number in
            received.append(number * 10)
            if number == 3 { dog.stopObserving() }
        }
        #expect(received == [1, 2, 10, 20, 30])
    }

    @Test func noMessageOfOtherThreadsComesBeforeTheReplayOrTwice() {
        let messenger = Messenger<Int>(), over = Gate()
        let replayer = messenger.replay(.all)
        let count = 3_000
        let sending = onOtherThread {
            for number in 0..<count { messenger.send(number) }
            over.open()
        }
        var dogs: [Dog] = [], recorders: [Recorder<Int>] = []
        while !over.isOpen, dogs.count < 100 {
            let dog = Dog(), recorder = Recorder<Int>()
            dog.observe(replayer) { recorder.record($0) }
            dogs.append(dog)
            recorders.append(recorder)
        }
        sending.pass()
        for recorder in recorders { #expect(recorder.entries == Array(0..<count)) }
        withExtendedLifetime(dogs) {}
    }

    @Test func aReplayerKeepsItsSourceAndLeavesNothing() {
        let leaked = leaks { track in
            let dog = track(Dog())
            let replayer = track(track(Messenger<Mortal>()).replay(.all))
            replayer.source.send(track(Mortal()))
            dog.observe(replayer) { _ in }
            dog.observe(replayer).skip(1).receive { _ in }
        }
        #expect(leaked.isEmpty)
    }

    @Test func withoutOrderAReplayIsReceivedAtOnce() {
        let messenger = Messenger<Int>(), dog = Dog()
        let replayer = messenger.replay(.all)
        replayer.maintainsMessageOrder = false
        messenger.send(1)
        var log: [String] = []
        dog.observe(replayer) { number in
            log.append("old \(number)")
            guard number == 2 else { return }
            dog.observe(replayer) { log.append("new \($0)") }
            log.append("observed")
        }
        messenger.send(2)
        #expect(log == ["old 1", "old 2", "new 1", "new 2", "observed"])
    }
}

@Suite("Law 18 and 19: the latest message of a buffered observable can be replayed") struct LatestReplay {
    @Test func noneIsReplayedUnlessAskedFor() {
        let number = Var(1), dog = Dog()
        var received = 0
        dog.observe(number, replaying: .none) { _ in received += 1 }
        #expect(received == 0)
    }

    @Test func aMappingReplaysWhatItMakesOfTheLatestMessage() {
        let text = Var(1).map { "\($0.new)" }, dog = Dog()
        var received: [String] = []
        dog.observe(text, replaying: .latest) { received.append($0) }
        dog.observe(text, replaying: .latest).map { $0 + "!" }.receive { received.append($0) }
        text.source <- 2
        #expect(received == ["1", "1!", "2", "2!"])
    }

    /// While updates wait, the latest is the value with which the next of them begins.
    @Test func whatWaitsComesAfterTheReplay() {
        let number = Var(0), dog = Dog()
        var received: [Update<Int>] = []
        dog.observe(number) { update in
            guard update.new == 1 else { return }
            number <- 2
            number <- 3
            dog.observe(number, replaying: .latest) { received.append($0) }
        }
        number <- 1
        #expect(received == [Update(1, 1), Update(1, 2), Update(2, 3)])
    }

    @Test func updatesOfOtherThreadsGoOnWhereTheReplayEnds() {
        let number = Var(0)
        let setting = onOtherThread { for value in 1...3_000 { number <- value } }
        var dogs: [Dog] = [], recorders: [Recorder<Update<Int>>] = []
        while number.value < 3_000, dogs.count < 300 {
            let dog = Dog(), recorder = Recorder<Update<Int>>()
            dog.observe(number, replaying: .latest) { recorder.record($0) }
            dogs.append(dog)
            recorders.append(recorder)
        }
        setting.pass()
        for recorder in recorders {
            let updates = recorder.entries
            #expect(updates.first?.isChange == false)
            #expect(updates.last?.new == 3_000)
            #expect(zip(updates, updates.dropFirst()).allSatisfy { $0.new == $1.old })
        }
        withExtendedLifetime(dogs) {}
    }
}
