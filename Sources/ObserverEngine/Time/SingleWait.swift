// SPDX-License-Identifier: MIT

/// Calls something once, when a clock says so.
///
/// - Note: `@unchecked Sendable`: what waits is guarded.
public final class SingleWait: @unchecked Sendable {
    private let clock: TimerQueue
    private let present = Guarded<Wait?>(nil)

    public init(on clock: TimerQueue) { self.clock = clock }

    /// Calls when it is due; at once if it is due already.
    public func wait(until time: Int64, _ call: @escaping () -> Void) {
        let now = clock.now
        if time <= now { return call() }
        let wait = Wait {
            call()
            return true
        }
        present.withLock { $0 = wait }
        _ = clock.set(wait, clock.deadline(after: now, time - now))
    }

    /// Does not call.
    public func cancel() {
        let wait = present.withLock { present in
            defer { present = nil }
            return present
        }
        if let wait { clock.cancel(wait) }
    }
}
