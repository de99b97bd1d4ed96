// SPDX-License-Identifier: MIT

import SwiftObserver
import Testing
import TestSupport

@Suite("Delivery on an actor") struct ActorTests {
    let messenger = Messenger<Int>()

    /// An actor that observes.
    actor Diary: Observer {
        let receiver = Receiver()
        private(set) var lines: [Int] = []
        private var awaited: (count: Int, reader: CheckedContinuation<[Int], Never>)?

        func write(_ line: Int) {
            lines.append(line)
            if let awaited, lines.count >= awaited.count {
                self.awaited = nil
                awaited.reader.resume(returning: lines)
            }
        }

        /// The lines, as soon as there are so many.
        func read(_ count: Int) async -> [Int] {
            if lines.count >= count { return lines }
            return await withCheckedContinuation { awaited = (count, $0) }
        }

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

        var factor = 10

        func send(_ number: Int, by messenger: Messenger<Int>) -> [Int] {
            messenger.send(number)
            return lines
        }
    }

    @Test func aHandlerIsGivenItsActor() async {
        let cat = Cat(), diary = Diary()
        cat.observe(messenger, on: diary) { diary, number in diary.write(number) }
        messenger.send(1)
        messenger.send(2)
        #expect(await diary.read(2) == [1, 2])
    }

    @Test func aHandlerFormedOnAnActorStaysThere() async {
        let diary = Diary()
        _ = await diary.observePlainly(messenger)
        onThreads(2) { [messenger] _ in
            for number in 0..<100 { messenger.send(number) }
        }
        #expect(await diary.read(200).count == 200)
    }

    @Test func theStepsOfAChainFormedOnAnActorStayThere() async {
        let diary = Diary()
        await diary.observeByAChain(messenger)
        for number in [1, 2, 3] { messenger.send(number) }
        #expect(await diary.read(2) == [20, 30])
    }

    @Test func onTheActorAMessageArrivesAtOnce() async {
        let diary = Diary()
        _ = await diary.observePlainly(messenger)
        #expect(await diary.send(1, by: messenger) == [1])
    }

    @Test func thoseThatWaitForTheActorComeFirst() async {
        let diary = Diary()
        _ = await diary.observePlainly(messenger)
        let lines = await diary.run { [messenger] diary in
            let other = onOtherThread {
                messenger.send(1)
                messenger.send(2)
            }
            other.pass()
            #expect(diary.lines.isEmpty)
            messenger.send(3)
            return diary.lines
        }
        #expect(lines == [1, 2, 3])
    }

    @Test func nothingThatWaitsForTheActorArrivesAfterStop() async {
        let diary = Diary(), end = Messenger<Int>()
        let observation = await diary.observePlainly(messenger)
        _ = await diary.observePlainly(end)
        await diary.run { [messenger] _ in
            onOtherThread { messenger.send(1) }.pass()
            #expect(observation.stop())
        }
        end.send(9)
        #expect(await diary.read(1) == [9])
    }

    @Test func anActorIsNotKept() async {
        let tracker = Tracker(), cat = Cat()
        var diary: Diary? = Diary()
        _ = tracker(diary!)
        _ = await diary!.observePlainly(messenger)
        cat.observe(messenger, on: diary!) { diary, number in diary.write(number) }
        diary = nil
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

extension ActorTests.Diary {
    func run<Result: Sendable>(_ body: @Sendable (isolated ActorTests.Diary) -> Result) -> Result { body(self) }
}
