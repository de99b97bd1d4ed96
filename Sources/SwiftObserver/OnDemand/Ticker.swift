// SPDX-License-Identifier: MIT

/// Sends the numbers 1, 2, 3, ... at equal intervals, while it is observed.
///
///     let seconds = Ticker(every: .seconds(1))
///     observer.observe(seconds, on: MainActor.shared) { count in ... }
///
/// The first number comes one interval after the first observer. Intervals are counted from there, so
/// that they do not drift, and those that have been missed are left out. Its owner must hold it.
public final class Ticker: OnDemand<Int>, @unchecked Sendable {
    /// A ticker that goes by the continuous clock.
    public convenience init(every interval: Duration, tolerance: Duration? = nil) {
        self.init(every: interval, tolerance: tolerance, clock: ContinuousClock())
    }

    /// A ticker that goes by any clock.
    public init<C: Clock>(every interval: C.Duration, tolerance: C.Duration? = nil, clock: C) {
        precondition(interval > .zero, "a ticker has an interval greater than zero")
        super.init(priority: nil, replaysLatest: false) { report in
            var next = clock.now, count = 0
            while true {
                repeat { next = next.advanced(by: interval) } while next <= clock.now
                do { try await clock.sleep(until: next, tolerance: tolerance) } catch { return nil }
                if Task.isCancelled { return nil }
                count += 1
                report(count)
            }
        }
    }
}
