// SPDX-License-Identifier: MIT

import SwiftObserver
import Testing
import TestSupport

@Suite("Work") struct WorkTests {
    let clock = ManualClock(), begun = Recorder<Void>()

    /// Takes an hour.
    private func work(_ result: Int = 7) -> Work<Int> {
        Work { [clock, begun] in
            begun.record()
            try await clock.sleep(until: clock.now.advanced(by: .seconds(3600)), tolerance: nil)
            return result
        }
    }

    @Test func theResultIsSentOnce() async throws {
        let work = work(), cat = Cat(), received = Recorder<Int>()
        cat.observe(work) { received.record(try! $0.get()) }
        await clock.sleep(of: 1)
        #expect(received.entries == [])
        clock.advance(by: .seconds(3600))
        #expect(try await work.value == 7)
        #expect(received.entries == [7] && begun.count == 1)
    }

    @Test func workBeginsWhenSomebodyObserves() async throws {
        let idle = work(), observed = work(), cat = Cat()
        cat.observe(observed) { _ in }
        await clock.sleep(of: 1)
        #expect(begun.count == 1)
        withExtendedLifetime(idle) {}
    }

    @Test func workBeginsOnTheQueueOnWhichTheObservationDoes() async throws {
        let work = work(), cat = Cat(), queue = ManualQueue(), received = Recorder<Int>()
        cat.observe(work, beginningOn: queue) { _ in }.stop()
        queue.runAll()
        cat.observe(work, beginningOn: queue) { received.record(try! $0.get()) }
        await Task.yield()
        #expect(clock.sleeperCount == 0 && begun.count == 0)
        queue.runAll()
        await clock.sleep(of: 1)
        clock.advance(by: .seconds(3600))
        #expect(try await work.value == 7)
        #expect(received.entries == [7] && begun.count == 1)
    }

    @Test func whoComesLateReceivesTheResultOnBeginning() async throws {
        let work = Work { 7 }, cat = Cat()
        #expect(try await work.value == 7)
        let received = Recorder<Int>()
        cat.observe(work) { received.record(try! $0.get()) }
        #expect(received.entries == [7])
        #expect(try await work.value == 7)
    }

    @Test func severalObserversShareTheWork() async throws {
        let work = work()
        async let one = work.value
        async let other = work.value
        while work.observationCount < 2 { await Task.yield() }
        await clock.sleep(of: 1)
        clock.advance(by: .seconds(3600))
        #expect(try await (one, other) == (7, 7))
        #expect(begun.count == 1)
    }

    @Test func workIsCancelledWhenTheLastObserverLeaves() async {
        let ended = Messenger<Bool>(), endings = ended.messages()
        let work = Work<Int> { [clock] in
            defer { ended.send(Task.isCancelled) }
            try await clock.sleep(until: clock.now.advanced(by: .seconds(3600)), tolerance: nil)
            return 7
        }
        let cat = Cat(), other = Cat(), received = Recorder<Void>()
        cat.observe(work) { _ in received.record() }
        other.observe(work) { _ in received.record() }
        await clock.sleep(of: 1)
        cat.stopObserving(work)
        #expect(clock.sleeperCount == 1)
        other.stopObserving(work)
        #expect(await endings.first { _ in true } == true)
        #expect(received.count == 0)
    }

    @Test func workThatWasCancelledBeginsAnew() async throws {
        let work = work()
        do {
            let cat = Cat()
            cat.observe(work) { _ in }
            await clock.sleep(of: 1)
            cat.stopObserving()
        }
        #expect(clock.sleeperCount == 0)
        async let value = work.value
        await clock.sleep(of: 1)
        clock.advance(by: .seconds(3600))
        #expect(try await value == 7)
        #expect(begun.count == 2)
    }

    @Test func workThatIsDoneIsNotDoneAgain() async throws {
        let work = Work { [begun] in begun.record() }
        for _ in 0..<3 { try await work.value }
        #expect(begun.count == 1)
    }

    @Test func anErrorIsAResult() async {
        struct Failure: Error {}
        let work = Work<Int> { throw Failure() }
        await #expect(throws: Failure.self) { try await work.value }
        await #expect(throws: Failure.self) { try await work.value }
    }

    @Test func workIsCancelledWhenItsObservableDies() async {
        let cat = Cat(), tracker = Tracker()
        do {
            let work = tracker(work())
            cat.observe(work) { _ in }
            await clock.sleep(of: 1)
        }
        #expect(tracker.living.isEmpty)
        #expect(clock.sleeperCount == 0)
    }

    @Test func progressIsSentBeforeTheResult() async throws {
        let work = ProgressiveWork<Int, String> { report in
            for percent in [10, 50, 90] { report(percent) }
            return "done"
        }
        let cat = Cat()
        var all: [String] = []
        for await advance in work.messages() {
            all.append(Self.text(advance))
            if case .result = advance { break }
        }
        #expect(all == ["10 %", "50 %", "90 %", "done"])
        let late = Recorder<String>()
        cat.observe(work) { late.record(Self.text($0)) }
        #expect(late.entries == ["done"])
    }

    @Test func whoComesLateReceivesTheLatestProgress() async {
        let (clock, cat, log) = (clock, Cat(), Recorder<String>())
        let work = ProgressiveWork<Int, String> { report in
            report(10)
            report(50)
            try await clock.sleep(until: clock.now.advanced(by: .seconds(1)), tolerance: nil)
            return "done"
        }
        let messages = work.messages()
        await clock.sleep(of: 1)
        cat.observe(work) { log.record(Self.text($0)) }
        #expect(log.entries == ["50 %"])
        clock.advance(by: .seconds(1))
        var all: [String] = []
        for await advance in messages {
            all.append(Self.text(advance))
            if case .result = advance { break }
        }
        #expect(all == ["10 %", "50 %", "done"])
    }

    private static func text(_ advance: Advance<Int, String>) -> String {
        switch advance {
        case .progress(let percent): "\(percent) %"
        case .result(let result): (try? result.get()) ?? "failed"
        }
    }

    @Test func everyObserverGetsTheResultOnceWhateverThreadsDo() async throws {
        for _ in 0..<50 {
            let work = Work { 7 }, received = Recorder<Int>()
            let cats = (0..<4).map { _ in Cat() }
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
