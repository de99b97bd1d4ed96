// SPDX-License-Identifier: MIT

import SwiftObserver
import Testing
import TestSupport

@Suite("Law 19: a replay goes to the new observer only, in order, before any later message") struct Law19 {
    let messenger = Messenger<Int>(), replayer: Replayer<Messenger<Int>>, dog = Dog()

    init() { replayer = messenger.replay(.all) }

    @Test(arguments: [
        (Remembered.none, []), (.latest, [5]), (.last(3), [3, 4, 5]), (.last(9), [1, 2, 3, 4, 5]), (.last(0), []),
        (.all, [1, 2, 3, 4, 5]),
    ])
    func onlyAsMuchIsReplayedAsWasAskedFor(_ remembered: Remembered, _ expected: [Int]) {
        let replayer = messenger.replay(remembered)
        for number in 1...5 { messenger.send(number) }
        #expect(replayer.remembered == expected)
        dog.listen(to: replayer)
        messenger.send(6)
        #expect(dog.heard == (expected + [6]).map { "\($0)" })
    }

    /// Fault 9 of the published code: nothing replayed, everything kept.
    @Test func whatIsNotRememberedIsNotKept() {
        let messenger = Messenger<Mortal>(), tracker = Tracker()
        let none = messenger.replay(.none), last = messenger.replay(.last(2))
        for _ in 0..<10 { messenger.send(tracker(Mortal())) }
        #expect(tracker.living.count == 2)
        withExtendedLifetime((none, last)) {}
    }

    @Test(arguments: [true, false]) func duringADeliveryAReplayIncludesTheMessage(inOrder: Bool) {
        replayer.maintainsMessageOrder = inOrder
        dog.observe(replayer) { number in
            dog.hear("old \(number)")
            guard number == 2 else { return }
            if inOrder { replayer.send(3) }
            dog.listen(to: replayer, as: "new")
            dog.hear("observed")
        }
        messenger.send(1)
        messenger.send(2)
        // In order it waits for the message to have been delivered; without, it is received at once.
        let expected =
            inOrder
            ? ["old 1", "old 2", "observed", "new 1", "new 2", "old 3", "new 3"]
            : ["old 1", "old 2", "new 1", "new 2", "observed"]
        #expect(dog.heard == expected)
    }

    @Test func anObservationStoppedBeforeItsReplayReceivesNothing() {
        nonisolated(unsafe) var deaths = 0
        dog.observe(replayer) { number in
            let mortal = Mortal { deaths += 1 }
            let observation = dog.observe(replayer) { number in withExtendedLifetime(mortal) { dog.hear(number) } }
            #expect(observation.isLiving && observation.stop() && !observation.isLiving)
        }
        messenger.send(1)
        messenger.send(2)
        #expect(dog.heard == [] && deaths == 2)
    }

    @Test(arguments: [0, 1, 2]) func aReplayKnowsNothingOfWhatWasSentStraightToAVariableAndWaits(order: Int) {
        let number = Var(0)
        dog.observe(number) { update in
            guard update.new == 1 else { return }
            if order == 1 { number.value = 2 }
            number.send(Update(70, 80))
            dog.observe(number, replaying: .latest) { dog.hear("\($0.old) \($0.new)") }
            if order == 2 { number.value = 2 }
        }
        number.value = 1
        #expect(dog.heard == ["1 1"] + [["70 80"], ["1 2", "70 80"], ["70 80", "1 2"]][order])
    }

    @Test func whatIsTakenMayEndInTheMiddleOfAReplay() {
        for number in 1...5 { messenger.send(number) }
        dog.observe(replayer).take(2).receive { dog.hear($0) }
        #expect(dog.heard == ["1", "2"] && !replayer.isObserved)
    }

    @Test func aReplayerKeepsItsSourceAndLeavesNothing() {
        let leaked = leaks { track in
            let dog = track(Dog()), replayer = track(track(Messenger<Mortal>()).replay(.all))
            replayer.source.send(track(Mortal()))
            dog.observe(replayer) { _ in }
            dog.observe(replayer).skip(1).receive { _ in }
        }
        #expect(leaked.isEmpty)
    }
}

@Suite("Laws 18 and 19: the latest message of a buffered observable can be replayed") struct LatestReplay {
    let number = Var(1), dog = Dog()

    /// While updates wait, the latest is the value with which the next of them begins.
    @Test func whatWaitsComesAfterTheReplay() {
        dog.observe(number) { update in
            guard update.new == 2 else { return }
            number <- 3
            number <- 4
            dog.observe(number, replaying: .latest) { dog.hear("\($0.old)>\($0.new)") }
        }
        number <- 2
        #expect(dog.heard == ["2>2", "2>3", "3>4"])
    }

    @Test func updatesOfOtherThreadsGoOnWhereTheReplayEnds() {
        let setting = onOtherThread { [number] in for value in 2...3_000 { number <- value } }
        var recorders: [Recorder<Update<Int>>] = []
        while number.value < 3_000, recorders.count < 300 {
            let recorder = Recorder<Update<Int>>()
            dog.observe(number, replaying: .latest) { recorder.record($0) }
            recorders.append(recorder)
        }
        setting.pass()
        for updates in recorders.map(\.entries) {
            #expect(updates.first?.isChange == false && updates.last?.new == 3_000)
            #expect(zip(updates, updates.dropFirst()).allSatisfy { $0.new == $1.old })
        }
    }
}
