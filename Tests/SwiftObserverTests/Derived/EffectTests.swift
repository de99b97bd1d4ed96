// SPDX-License-Identifier: MIT

import SwiftObserver
import Testing
import TestSupport

/// Law 34.
@Suite("Effects") struct EffectTests {
    @Test func anEffectRunsNowAndOnceAfterEachTurn() {
        let one = Var(1), other = Var(2), dog = Dog()
        let handle = dog.effect { dog.hear(one.value + other.value) }
        #expect(dog.heard == ["3"] && handle.isLiving)
        transaction {
            one.value = 10
            other.value = 20
        }
        #expect(dog.heard == ["3", "30"])
        handle.stop()
        one.value = 100
        #expect(dog.heard == ["3", "30"] && !handle.isLiving)
    }

    @Test func itRunsAfterTheUpdatesOfItsTurnAndSeesOneMoment() {
        let number = Var(1), dog = Dog()
        let doubled = Derived { number.value * 2 }
        dog.effect { dog.hear("\(number.value) \(doubled.value)") }
        dog.listen(to: doubled)
        number.value = 2
        #expect(dog.heard == ["1 2", "2>4", "2 4"])
    }

    @Test func itsCleanUpRunsBeforeItsNextRunAndWhenItEnds() {
        let number = Var(1), dog = Dog()
        let handle = dog.effect { run in
            let now = number.value
            dog.hear("+\(now)")
            run.onCleanUp { dog.hear("-\(now)") }
        }
        number.value = 2
        #expect(dog.heard == ["+1", "-1", "+2"])
        handle.stop()
        #expect(dog.heard == ["+1", "-1", "+2", "-2"])
    }

    @Test func whatItSetsIsHandledWhenItHasReturned() {
        let number = Var(1), copy = Var(0), dog = Dog()
        dog.listen(to: copy)
        dog.effect {
            copy.value = number.value
            dog.hear("set")
        }
        number.value = 2
        #expect(dog.heard.last == "set" || dog.heard.last == "1>2")
        #expect(copy.value == 2 && dog.heard.filter { $0 == "set" }.count == 2)
    }

    @Test(arguments: [true, false]) func oneWhoseJobIsLostRunsAfterTheNextChange(isDropped: Bool) {
        let one = Var(1), other = Var(1), queue = ManualQueue(), cat = Cat()
        let sum = Derived { one.value + other.value }, sums = Recorder<Int>()
        let handle = cat.effect(on: .async(queue)) { sums.record(sum.value + other.value) }
        queue.runAll()
        for _ in 1...3 {
            one.value += 1
            if isDropped { queue.dropAll() } else { handle.blocked { queue.runAll() } }
        }
        #expect(sums.entries == [3] && queue.count == 0)
        other.value = 3
        #expect(queue.count == 1)
        queue.runAll()
        #expect(sums.entries == [3, 10])
        one.value = 1
        queue.runAll()
        #expect(sums.entries == [3, 10, 7])
    }

    /// The message of a job that was dropped is delivered by the next job, so the last one stays.
    @Test func oneThatIsBlockedBehindAJobThatWasDroppedRunsAfterTheNextChange() {
        let number = Var(1), queue = ManualQueue(), cat = Cat(), numbers = Recorder<Int>()
        let handle = cat.effect(on: .async(queue)) { numbers.record(number.value) }
        queue.runAll()
        number.value = 2
        queue.dropAll()
        number.value = 3
        queue.runAll()
        number.value = 4
        handle.blocked { queue.runAll() }
        number.value = 5
        queue.runAll()
        #expect(numbers.entries == [1, 3, 5])
    }

    @Test func itDoesNotDependOnWhatHandlersReadThatItCalls() {
        let number = Var(1), other = Var(1), messenger = Messenger<Int>(), runs = Recorder<Int>()
        let heard = messenger.observe { _ in _ = other.value }
        let effect = effect {
            runs.record(number.value)
            messenger.send(number.value)
        }
        withExtendedLifetime((heard, effect)) {
            other.value = 2
            #expect(runs.entries == [1])
            number.value = 2
            #expect(runs.entries == [1, 2])
        }
    }

    @Test func oneThatIsHeldLastsAsLongAsThat() {
        let number = Var(1), runs = Runs()
        do {
            let kept = effect {
                runs.count()
                _ = number.value
            }
            number.value = 2
            #expect(kept.isLiving && runs.taken == 2)
        }
        number.value = 3
        #expect(runs.taken == 0)
    }

    @Test func itEndsWithItsObserverAndNothingIsLeft() {
        let number = Var(1)
        let left = leaks { tracker in
            let observer = tracker(FreeObserver()), source = tracker(Var(1))
            let doubled = tracker(Derived { source.value * 2 })
            let token = tracker(Runs())
            observer.effect {
                token.count()
                _ = doubled.value + number.value
            }
            source.value = 2
            #expect(token.taken == 2)
        }
        #expect(left == [])
        number.value = 2
    }

    @Test func oneOnAQueueRunsThere() {
        let number = Var(1), queue = ManualQueue(), dog = Dog()
        dog.effect(on: .async(queue)) { dog.hear(number.value) }
        #expect(dog.heard == [])
        queue.runAll()
        number.value = 2
        #expect(dog.heard == ["1"])
        queue.runAll()
        #expect(dog.heard == ["1", "2"])
    }

    @MainActor final class Screen: Observer {
        let receiver = Receiver()
        var shown: [Int] = []
    }

    @MainActor @Test func oneFormedOnTheMainActorRunsAndCleansUpThere() async {
        let number = Var(1)
        var screen: Screen? = Screen()
        var cleaned = 0
        let handle = screen!.effect { [unowned screen = screen!] run in
            screen.shown.append(number.value)
            run.onCleanUp { cleaned += 1 }
        }
        #expect(screen!.shown == [1])
        await Task.detached { number.value = 2 }.value
        while screen!.shown.count < 2 { await Task.yield() }
        #expect(screen!.shown == [1, 2] && cleaned == 1)
        await Task.detached { _ = handle.stop() }.value
        while cleaned < 2 { await Task.yield() }
        screen = nil
        number.value = 3
        #expect(cleaned == 2)
    }

    actor Diary: Observer {
        nonisolated let receiver = Receiver()
        private(set) var entries: [Int] = []

        func follow(_ number: Var<Int>) {
            effect { [unowned self] in enter(number.value) }
        }

        private func enter(_ entry: Int) { entries.append(entry) }
    }

    @Test func oneOfAnActorRunsOnIt() async {
        let number = Var(1), diary = Diary()
        await diary.follow(number)
        #expect(await diary.entries == [1])
        number.value = 2
        while await diary.entries.count < 2 { await Task.yield() }
        #expect(await diary.entries == [1, 2])
    }
}
