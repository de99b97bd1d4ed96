// SPDX-License-Identifier: MIT

import Foundation
import MiniRex
import TestSupport
import Testing

@Suite("MiniRex: tasks") struct TaskTests {
    let clock = SleepClock(), begun = Recorder<Void>()

    /// Takes an hour.
    private func task() -> PublishedTask<Int> {
        PublishedTask { [clock, begun] in
            begun.record()
            try await clock.sleep(until: clock.now.advanced(by: .seconds(3600)), tolerance: nil)
            return 7
        }
    }

    @Test func subscribersShareOneTaskThatBeginsWithTheFirst() async {
        let idle = task(), task = task(), received = Recorder<Int>(), done = Gate()
        let subscriptions = (0..<2).map { _ in
            task.publisher.subscribe {
                received.record(try! $0.get())
                if received.count == 2 { done.open() }
            }
        }
        await clock.sleep(of: 1)
        clock.advance(by: .seconds(3600))
        await done.opened()
        withExtendedLifetime((idle, subscriptions)) { #expect(received.entries == [7, 7] && begun.count == 1) }
    }

    @Test func aTaskIsCancelledWhenTheLastSubscriberLeavesAndBeginsAgain() async {
        let clock = clock, cancelled = Gate()
        let task = PublishedTask<Int> {
            do {
                try await clock.sleep(until: clock.now.advanced(by: .seconds(3600)), tolerance: nil)
            } catch {
                cancelled.open()
                throw error
            }
            return 7
        }
        let first = task.publisher.subscribe { _ in }, second = task.publisher.subscribe { _ in }
        await clock.sleep(of: 1)
        first.invalidate()
        #expect(clock.sleeperCount == 1)
        second.invalidate()
        await cancelled.opened()
        let received = Recorder<Int>(), done = Gate()
        let third = task.publisher.subscribe {
            received.record((try? $0.get()) ?? -1)
            done.open()
        }
        await clock.sleep(of: 1)
        clock.advance(by: .seconds(3600))
        await done.opened()
        withExtendedLifetime(third) { #expect(received.entries == [7]) }
    }

    @Test func aTaskIsCancelledWhenItDies() async {
        let clock = clock, cancelled = Gate()
        var task: PublishedTask<Void>? = PublishedTask {
            do {
                try await clock.sleep(until: clock.now.advanced(by: .seconds(3600)), tolerance: nil)
            } catch { cancelled.open() }
        }
        let subscription = task!.publisher.subscribe { _ in }
        await clock.sleep(of: 1)
        task = nil
        await cancelled.opened()
        withExtendedLifetime(subscription) {}
    }

    @Test func whoComesLateReceivesTheLatestProgressFirst() async {
        let clock = clock
        let task = PublishedProgressiveTask<Int, String> { report in
            report(50)
            try await clock.sleep(until: clock.now.advanced(by: .seconds(3600)), tolerance: nil)
            return "done"
        }
        let first = task.publisher.subscribe { _ in }
        await clock.sleep(of: 1)
        let received = Recorder<String>(), done = Gate()
        let second = task.publisher.subscribe { update in
            switch update {
            case .progress(let percent): received.record("\(percent)")
            case .result:
                received.record("done")
                done.open()
            }
        }
        #expect(received.entries == ["50"])
        clock.advance(by: .seconds(3600))
        await done.opened()
        withExtendedLifetime((first, second)) { #expect(received.entries == ["50", "done"]) }
    }

    @Test func aFileIsReadChunkByChunk() async throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "minirex-\(UUID().uuidString)")
        let content = Data((0..<1_000).map { UInt8($0 % 251) })
        try content.write(to: url)
        defer { try? FileManager.default.removeItem(at: url) }
        let reading = PublishedProgressiveTask.readingFile(at: url, chunkSize: 400)
        let progress = Recorder<ByteProgress>(), results = Recorder<Data?>(), done = Gate()
        let subscription = reading.publisher.subscribe { update in
            switch update {
            case .progress(let bytes): progress.record(bytes)
            case .result(let result):
                results.record(try? result.get())
                done.open()
            }
        }
        await done.opened()
        withExtendedLifetime(subscription) {
            #expect(progress.entries.map(\.completed) == [400, 800, 1_000])
            #expect(progress.entries.allSatisfy { $0.total == 1_000 })
            #expect(progress.entries.last?.fraction == 1)
            #expect(results.entries == [content])
        }
    }

    @Test func aFileThatIsNotThereIsAnError() async {
        let url = FileManager.default.temporaryDirectory.appending(path: "minirex-\(UUID().uuidString)")
        let reading = PublishedProgressiveTask.readingFile(at: url), done = Gate(), failed = Flag()
        let subscription = reading.publisher.subscribe { update in
            if case .result(.failure) = update { failed.raise() }
            done.open()
        }
        await done.opened()
        withExtendedLifetime(subscription) { #expect(failed.isRaised) }
    }
}
