// SPDX-License-Identifier: MIT

import SwiftObserver
import Testing
import TestSupport

@Suite("Delivery on an actor") struct ActorTests {
    let messenger = Messenger<Int>(), diary = Diary()

    /// An actor that observes.
    actor Diary: Observer {
        let receiver = Receiver()
        private var lines = Lines()
        var factor = 10

        func write(_ line: Int) { lines.write(line) }

        /// The lines, as soon as there are so many.
        func read(_ count: Int) async -> [Int] { await withCheckedContinuation { lines.read(count, $0) } }

        @discardableResult
        func observePlainly(_ messenger: Messenger<Int>) -> ObservationHandle {
            observe(messenger) { [unowned self] number in
                assertIsolated()
                write(number)
            }
        }

        func observeByAChain(_ messenger: Messenger<Int>) {
            observe(messenger)
                .map { [unowned self] number in number * factor }
                .filter { [unowned self] number in number > factor }
                .receive { [unowned self] number in write(number) }
        }

        func observeInEveryOtherWay(_ messenger: Messenger<Int>, _ number: Var<Int>) {
            observe(messenger).merge(observe(messenger)).take(9).select(4) { [unowned self] in write(factor) }
            observe(number, number) { [unowned self] in write($0.new + $1.new + factor) }
            observe(number, replaying: .latest) { [unowned self] in write($0.new + factor) }
            observe(number, replaying: .latest).new { [unowned self] in write($0 - factor) }
        }

        /// What has been written after the body.
        func lines(after body: @Sendable (isolated Diary) -> Void) -> [Int] {
            body(self)
            return lines.all
        }
    }

    @Test func aHandlerIsGivenItsActor() async {
        let cat = Cat()
        cat.observe(messenger, on: diary) { diary, number in diary.write(number) }
        messenger.send(1)
        messenger.send(2)
        #expect(await diary.read(2) == [1, 2])
    }

    @Test func aHandlerFormedOnAnActorStaysThere() async {
        await diary.observePlainly(messenger)
        onThreads(2) { [messenger] _ in for number in 0..<100 { messenger.send(number) } }
        #expect(await diary.read(200).count == 200)
    }

    @Test func theStepsOfAChainFormedOnAnActorStayThere() async {
        await diary.observeByAChain(messenger)
        for number in [1, 2, 3] { messenger.send(number) }
        #expect(await diary.read(2) == [20, 30])
    }

    @Test func everyWayToObserveStaysThere() async {
        let number = Var(1)
        await diary.observeInEveryOtherWay(messenger, number)
        messenger.send(4)
        number <- 2
        #expect(await diary.read(8).sorted() == [-9, -8, 10, 10, 11, 12, 14, 14])
    }

    @Test func anActorThatIsNotTheObserverHasToBeNamed() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            actor Counter {
                var count = 0
                func watch(_ messenger: Messenger<Int>) -> KeptObservation { messenger.observe { self.count += $0 } }
            }
            _ = await Counter().watch(Messenger())
        }
        #expect(isSaid("an actor that is neither global nor the observer", in: result?.standardErrorContent))
    }

    @Test func onTheActorAMessageArrivesAtOnceButAfterThoseThatWait() async {
        await diary.observePlainly(messenger)
        let first = await diary.lines { [messenger] _ in messenger.send(1) }
        let lines = await diary.lines { [messenger] _ in
            onOtherThread {
                messenger.send(2)
                messenger.send(3)
            }.pass()
            messenger.send(4)
        }
        #expect(first == [1] && lines == [1, 2, 3, 4])
    }

    @Test func nothingThatWaitsForTheActorArrivesAfterStop() async {
        let end = Messenger<Int>(), observation = await diary.observePlainly(messenger)
        await diary.observePlainly(end)
        let lines = await diary.lines { [messenger] _ in
            onOtherThread { messenger.send(1) }.pass()
            #expect(observation.stop())
        }
        #expect(lines == [])
        end.send(9)
        #expect(await diary.read(1) == [9])
    }

    @Test func anActorIsNotKept() async {
        let tracker = Tracker(), cat = Cat()
        do {
            let diary = tracker(Diary())
            await diary.observePlainly(messenger)
            await diary.observeByAChain(messenger)
            await diary.observeInEveryOtherWay(messenger, Var(1))
            cat.observe(messenger, on: diary) { diary, number in diary.write(number) }
        }
        #expect(tracker.living.isEmpty)
        messenger.send(1)
    }

    @Test func aTaskExecutorRunsHandlers() {
        let cat = Cat(), executor = ManualExecutor(), log = Recorder<Int>()
        cat.observe(messenger, on: .async(executor)) { log.record($0) }
        messenger.send(1)
        messenger.send(2)
        #expect(log.entries == [])
        executor.queue.runAll()
        #expect(log.entries == [1, 2])
    }

    final class ManualExecutor: TaskExecutor {
        let queue = ManualQueue()

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            queue.runLater { [unowned self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
        }
    }
}
