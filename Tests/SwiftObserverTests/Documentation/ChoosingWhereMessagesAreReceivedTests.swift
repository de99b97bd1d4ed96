// SPDX-License-Identifier: MIT

import SwiftObserver
import Testing
import TestSupport

@Suite("Documentation: Choosing Where Messages Are Received") struct ChoosingWhereMessagesAreReceivedTests {
    @MainActor final class ColorView: Observer {
        init(_ sky: Messenger<String>) {
            observe(sky) { [unowned self] color in show(color) }
        }

        func show(_ color: String) { shown.append(color) }

        private(set) var shown: [String] = []
        let receiver = Receiver()
    }

    actor Diary {
        private(set) var lines: [String] = []
        func write(_ line: String) { lines.append(line) }
    }

    struct Worker: DeliveryQueue {
        let pool: ManualQueue
        func runLater(_ job: @escaping @Sendable () -> Void) { pool.runLater(job) }
    }

    final class Executor: TaskExecutor {
        let pool = ManualQueue()
        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            pool.runLater { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
        }
    }

    let sky = Messenger<String>(), hunger = Var(3), dog = Dog()

    @MainActor @Test func onAnActor() async {
        let view = ColorView(sky), diary = Diary()

        dog.observe(sky, on: diary) { diary, color in diary.write(color) }
        dog.observe(sky, on: MainActor.shared) { color in view.show(color) }

        sky.send("blue")
        #expect(view.shown == ["blue", "blue"])
        while await diary.lines.isEmpty { await Task.yield() }
        #expect(await diary.lines == ["blue"])
    }

    @Test func onAQueue() {
        let worker = Worker(pool: ManualQueue())
        let colors = Recorder<String>(), lengths = Recorder<Int>(), levels = Recorder<Int>()

        dog.observe(sky, on: .async(worker)) { color in colors.record(color) }
        dog.observe(sky).map { $0.count }.receive(on: .async(worker)) { length in lengths.record(length) }

        dog.observe(hunger, replaying: .latest, beginningOn: worker) { update in levels.record(update.new) }

        sky.send("blue")
        #expect(colors.entries.isEmpty && levels.entries.isEmpty)
        worker.pool.runAll()
        #expect(colors.entries == ["blue"] && lengths.entries == [4] && levels.entries == [3])
    }

    @Test func onAnExecutor() async {
        let executor = Executor(), last = Recorder<String>()

        dog.observe(sky, on: .async(executor)) { color in last.record(color) }

        sky.send("blue")
        #expect(last.entries.isEmpty)
        executor.pool.runAll()
        #expect(last.entries == ["blue"])
    }
}
