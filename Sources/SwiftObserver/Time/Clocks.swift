// SPDX-License-Identifier: MIT

import ObserverEngine

/// Waits on a clock of Swift: the clocks of the system have one for the whole program, a ``ManualClock`` has its own, and
/// any other clock has one for each observable that waits on it.
func timers<C: Clock>(of clock: C) -> TimerQueue where C.Duration == Duration {
    if let clock = clock as? ManualClock { return clock.timers }
    if clock is ContinuousClock { return continuousTimers }
    if clock is SuspendingClock { return suspendingTimers }
    return makeTimers(on: clock)
}

private let continuousTimers = makeTimers(on: ContinuousClock())
private let suspendingTimers = makeTimers(on: SuspendingClock())

private func makeTimers<C: Clock>(on clock: C) -> TimerQueue where C.Duration == Duration {
    let start = clock.now, alarm = Alarm()
    let timers = TimerQueue(
        now: { start.duration(to: clock.now).inNanoseconds },
        wakeAt: { time in
            guard time != TimerQueue.never else { return alarm.set(nil) }
            alarm.set { [alarm] in
                do { try await clock.sleep(until: start.advanced(by: .nanoseconds(time)), tolerance: nil) } catch {
                    return
                }
                alarm.timers?.run()
            }
        })
    alarm.timers = timers
    return timers
}

/// The one task that sleeps until something is due. There is none where nothing waits.
///
/// - Note: `@unchecked Sendable`: `timers` is set once, when this is made, and the task is guarded.
private final class Alarm: @unchecked Sendable {
    // Not kept: it keeps this.
    weak var timers: TimerQueue?
    private let task = Guarded<Task<Void, Never>?>(nil)

    func set(_ sleep: (@Sendable () async -> Void)?) {
        let next = sleep.map { sleep in Task { await sleep() } }
        let before = task.withLock { task in
            defer { task = next }
            return task
        }
        before?.cancel()
    }
}

extension Duration {
    /// As many as can be counted.
    var inNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (whole, isTooLarge) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, isTooLargeAgain) = whole.addingReportingOverflow(attoseconds / 1_000_000_000)
        return isTooLarge || isTooLargeAgain ? (seconds < 0 ? .min : .max) : sum
    }

    /// An interval that something can wait for.
    var interval: Int64 {
        let nanoseconds = inNanoseconds
        precondition(
            nanoseconds > 0 && nanoseconds < .max, "an interval is longer than nothing, and shorter than 292 years")
        return nanoseconds
    }
}
