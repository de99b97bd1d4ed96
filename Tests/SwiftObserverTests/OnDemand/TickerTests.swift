// SPDX-License-Identifier: MIT

import SwiftObserver
import Testing
import TestSupport

@Suite("A ticker") struct TickerTests {
    let clock = ManualClock()

    @Test func itTicksAtEqualIntervals() async {
        let ticker = Ticker(every: .seconds(10), clock: clock)
        var ticks = ticker.messages().makeAsyncIterator()
        for count in 1...3 {
            await clock.sleep(of: 1)
            clock.advance(by: .seconds(10))
            #expect(await ticks.next() == count)
        }
    }

    @Test func whatIsMissedIsLeftOutAndNothingDrifts() async {
        let ticker = Ticker(every: .seconds(10), clock: clock)
        var ticks = ticker.messages().makeAsyncIterator()
        await clock.sleep(of: 1)
        clock.advance(by: .seconds(35))
        #expect(await ticks.next() == 1)
        await clock.sleep(of: 1)
        // The next one is due at 40.
        clock.advance(by: .seconds(5))
        #expect(await ticks.next() == 2)
    }

    @Test func itTicksOnlyWhileItIsObserved() async {
        let ticker = Ticker(every: .seconds(10), clock: clock), cat = Cat()
        #expect(clock.sleeperCount == 0)
        cat.observe(ticker) { _ in }
        await clock.sleep(of: 1)
        cat.stopObserving(ticker)
        #expect(clock.sleeperCount == 0)
        var ticks = ticker.messages().makeAsyncIterator()
        await clock.sleep(of: 1)
        clock.advance(by: .seconds(10))
        #expect(await ticks.next() == 1)
    }

    @Test func nothingIsLeftOfATicker() async {
        let tracker = Tracker(), cat = Cat()
        do {
            let ticker = tracker(Ticker(every: .seconds(10), clock: clock))
            cat.observe(ticker) { _ in }
            await clock.sleep(of: 1)
        }
        #expect(tracker.living.isEmpty && clock.sleeperCount == 0)
    }

    @Test func theContinuousClockTicks() async {
        let ticker = Ticker(every: .milliseconds(1))
        #expect(await ticker.next { $0 == 2 } == 2)
    }

    @Test func anIntervalIsGreaterThanZero() async throws {
        await #expect(processExitsWith: .failure) { _ = Ticker(every: .zero) }
    }
}
