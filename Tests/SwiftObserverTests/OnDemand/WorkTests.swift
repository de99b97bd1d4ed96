// SPDX-License-Identifier: MIT

import SwiftObserver
import Testing
import TestSupport

@Suite("Work") struct WorkTests {
    let clock = SleepClock(), begun = Recorder<Void>(), received = Recorder<Int>(), cat = Cat()

    /// Takes an hour.
    private func work() -> Work<Int> {
        Work { [clock, begun] in
            begun.record()
            try await clock.sleep(until: clock.now.advanced(by: .seconds(3600)), tolerance: nil)
            return 7
        }
    }

    /// Lets an hour pass, once so many work.
    private func passAnHour(of count: Int = 1) async {
        await clock.sleep(of: count)
        clock.advance(by: .seconds(3600))
    }

    @Test func theResultIsSentOnceOfWorkThatSomebodyObserves() async throws {
        let work = work(), idle = self.work()
        cat.observe(work) { received.record(try! $0.get()) }
        await clock.sleep(of: 1)
        #expect(received.entries == [])
        await passAnHour()
        #expect(try await work.value == 7)
        #expect(received.entries == [7] && begun.count == 1)
        withExtendedLifetime(idle) {}
    }

    @Test func workBeginsOnTheQueueOnWhichTheObservationDoes() async throws {
        let work = work(), queue = ManualQueue()
        cat.observe(work, beginningOn: queue) { _ in }.stop()
        queue.runAll()
        cat.observe(work, beginningOn: queue) { received.record(try! $0.get()) }
        await Task.yield()
        #expect(clock.sleeperCount == 0 && begun.count == 0)
        queue.runAll()
        await passAnHour()
        #expect(try await work.value == 7)
        #expect(received.entries == [7] && begun.count == 1)
    }

    @Test func workThatIsDoneIsNotDoneAgainAndWhoComesLateReceivesTheResult() async throws {
        let work = Work { [begun] in
            begun.record()
            return 7
        }
        for _ in 0..<3 { #expect(try await work.value == 7) }
        cat.observe(work) { received.record(try! $0.get()) }
        #expect(received.entries == [7] && begun.count == 1)
    }

    @Test func severalObserversShareTheWork() async throws {
        let work = work()
        async let one = work.value
        async let other = work.value
        while work.observationCount < 2 { await Task.yield() }
        await passAnHour()
        #expect(try await (one, other) == (7, 7))
        #expect(begun.count == 1)
    }

    @Test func workIsCancelledWhenTheLastObserverLeaves() async {
        let ended = Messenger<Bool>(), endings = ended.messages(), other = Cat()
        let work = Work<Int> { [clock] in
            defer { ended.send(Task.isCancelled) }
            try await clock.sleep(until: clock.now.advanced(by: .seconds(3600)), tolerance: nil)
            return 7
        }
        for cat in [cat, other] { cat.observe(work) { received.record(try! $0.get()) } }
        await clock.sleep(of: 1)
        cat.stopObserving(work)
        #expect(clock.sleeperCount == 1)
        other.stopObserving(work)
        #expect(await endings.first { _ in true } == true)
        #expect(received.count == 0)
    }

    @Test func workThatWasCancelledBeginsAgain() async throws {
        let work = work()
        cat.observe(work) { _ in }
        await clock.sleep(of: 1)
        cat.stopObserving()
        #expect(clock.sleeperCount == 0)
        async let value = work.value
        await passAnHour()
        #expect(try await value == 7)
        #expect(begun.count == 2)
    }

    @Test func anErrorIsAResult() async {
        let work = Work<Int> { throw CancellationError() }
        for _ in 0..<2 { await #expect(throws: CancellationError.self) { try await work.value } }
    }

    @Test(arguments: [(2, "7"), (1, "no")]) func workThatFailsIsDoneAgain(_ retries: Int, _ result: String) async {
        let work = Work(retrying: retries) { [begun] in
            begun.record()
            if begun.count < 3 { throw CancellationError() }
            return 7
        }
        for _ in 0..<2 { #expect((try? await work.value).map { "\($0)" } ?? "no" == result) }
        #expect(begun.count == min(3, retries + 1))
    }

    @Test func workIsCancelledWhenItsObservableDies() async {
        let tracker = Tracker()
        do {
            let work = tracker(work())
            cat.observe(work) { _ in }
            await clock.sleep(of: 1)
        }
        #expect(tracker.living.isEmpty && clock.sleeperCount == 0)
    }

    @Test func progressIsSentBeforeTheResultAndWhoComesLateReceivesTheLatest() async throws {
        let (clock, cat, early, late) = (clock, cat, Recorder<String>(), Recorder<String>())
        let work = ProgressiveWork<Int, String> { report in
            report(10)
            report(50)
            try await clock.sleep(until: clock.now.advanced(by: .seconds(3600)), tolerance: nil)
            return "done"
        }
        let messages = work.messages()
        await clock.sleep(of: 1)
        cat.observe(work) { early.record(Self.text($0)) }
        #expect(early.entries == ["50 %"])
        await passAnHour()
        var all: [String] = []
        for await advance in messages {
            all.append(Self.text(advance))
            if case .result = advance { break }
        }
        #expect(all == ["10 %", "50 %", "done"])
        cat.observe(work) { late.record(Self.text($0)) }
        #expect(late.entries == ["done"])
    }

    private static func text(_ advance: Advance<Int, String>) -> String {
        switch advance {
        case .progress(let percent): "\(percent) %"
        case .result(let result): (try? result.get()) ?? "failed"
        }
    }

    @Test func everyObserverGetsTheResultOnceWhateverThreadsDo() async throws {
        for _ in 0..<50 {
            let work = Work { 7 }, received = Recorder<Int>(), cats = (0..<4).map { _ in Cat() }
            onThreads(4) { index in
                if index == 0 { FreeObserver().observe(work) { _ in } }
                cats[index].observe(work) { received.record(try! $0.get()) }
            }
            #expect(try await work.value == 7)
            #expect(received.entries == [7, 7, 7, 7])
            withExtendedLifetime(cats) {}
        }
    }
}
