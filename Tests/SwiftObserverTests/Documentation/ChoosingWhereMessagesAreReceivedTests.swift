// SPDX-License-Identifier: MIT

import SwiftObserver
import Testing
import TestSupport

@Suite("Documentation: Choosing Where Messages Are Received") struct ChoosingWhereMessagesAreReceivedTests {
    @MainActor final class ColorView: Observer {
        let receiver = Receiver()
        private(set) var shown: [String] = []

        init(_ sky: Messenger<String>) {
            observe(sky) { [weak self] color in self?.show(color) }
        }

        func show(_ color: String) { shown.append(color) }
    }

    actor Diary {
        private(set) var lines: [String] = []
        func write(_ line: String) { lines.append(line) }
    }

    struct Worker: DeliveryQueue {
        let submit: @Sendable (_ job: @escaping @Sendable () -> Void) -> Void
        func runLater(_ job: @escaping @Sendable () -> Void) { submit(job) }
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
        let pool = ManualQueue(), worker = Worker(submit: { pool.runLater($0) })
        let colors = Recorder<String>(), lengths = Recorder<Int>(), levels = Recorder<Int>()

        dog.observe(sky, on: .async(worker)) { color in colors.record(color) }
        dog.observe(sky).map { $0.count }.receive(on: .async(worker)) { length in lengths.record(length) }

        dog.observe(hunger, replaying: .latest, beginningOn: worker) { update in levels.record(update.new) }

        sky.send("blue")
        #expect(colors.entries.isEmpty && levels.entries.isEmpty)
        pool.runAll()
        #expect(colors.entries == ["blue"] && lengths.entries == [4] && levels.entries == [3])
    }

    func count(_ colors: Messenger<String>, in count: Var<Int>) -> ObservationHandle {
        dog.observe(colors) { _ in count.update { $0 += 1 } }
    }

    @Test func anywhere() {
        let number = Var(0), counting = count(sky, in: number)
        onThreads(2) { [sky] _ in for _ in 0..<100 { sky.send("blue") } }
        counting.stopAndWait()
        #expect(number.value == 200)
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
