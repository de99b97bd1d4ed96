// SPDX-License-Identifier: MIT

import SwiftObserver
import Testing
import TestSupport

@Suite("A ticker") struct TickerTests {
    let clock = SleepClock(), cat = Cat()

    @Test func itTicksAtEqualIntervalsLeavesOutWhatIsMissedAndDoesNotDrift() async {
        let ticker = Ticker(every: .seconds(10), clock: clock)
        var ticks = ticker.messages().makeAsyncIterator()
        // The one after 35 seconds is due at 40.
        for (index, seconds) in [10, 10, 15, 5].enumerated() {
            await clock.sleep(of: 1)
            clock.advance(by: .seconds(seconds))
            #expect(await ticks.next() == index + 1)
        }
    }

    @Test func itTicksOnlyWhileItIsObserved() async {
        let ticker = Ticker(every: .seconds(10), clock: clock)
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
        let tracker = Tracker()
        do {
            let ticker = tracker(Ticker(every: .seconds(10), clock: clock))
            cat.observe(ticker) { _ in }
            await clock.sleep(of: 1)
        }
        #expect(tracker.living.isEmpty && clock.sleeperCount == 0)
    }

    @Test func theContinuousClockTicks() async {
        let ticker = Ticker(every: .milliseconds(1))
        // Of several that are late there is one.
        #expect(await ticker.next { $0 >= 2 } != nil)
    }
}
