// SPDX-License-Identifier: MIT

import ObserverEngine

/// A clock that is turned by hand, for tests.
///
///     let clock = ManualClock(), settled = keys.debounce(for: .milliseconds(300), clock: clock)
///     ...
///     clock.advance(by: .milliseconds(300))    // what is due by then is sent here and now
///
/// Waiting on it depends on nothing but the test: not on how busy the machine is. Tasks can sleep on it, too; they wake
/// up when their time has come, and go on when they have a thread.
public final class ManualClock: Clock, Sendable {
    /// A time of such a clock: how long it has been turned.
    public struct Instant: InstantProtocol {
        let offset: Duration
        public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        public func duration(to other: Instant) -> Duration { other.offset - offset }
        public static func < (one: Instant, other: Instant) -> Bool { one.offset < other.offset }
    }

    let timers = TimerQueue()

    /// A clock that stands still.
    public init() {}

    /// How long it has been turned. While what is due is sent, when that was due.
    public var now: Instant { Instant(offset: .nanoseconds(timers.now)) }

    /// It can be turned by a nanosecond.
    public var minimumResolution: Duration { .nanoseconds(1) }

    /// How many observables and tasks wait.
    public var waitingCount: Int { timers.count }

    /// Turns the clock on, and sends what is due by then, each at its time, and in the order in which it began to wait.
    ///
    /// From inside a handler that is called by this, or while another thread turns the clock, it only says how much further it
    /// is to be turned.
    public func advance(by duration: Duration) {
        let nanoseconds = duration.inNanoseconds
        precondition(nanoseconds >= 0, "a clock is not turned back")
        timers.advance(by: nanoseconds)
    }

    /// Waits until the clock has been turned so far.
    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        let sleep = Sleep(timers)
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { sleep.begin($0, until: deadline.offset.inNanoseconds) }
        } onCancel: {
            sleep.cancel()
        }
    }
}

/// A task that sleeps.
private final class Sleep: Sendable {
    private enum State {
        case isAwake, sleeps(CheckedContinuation<Void, any Error>), isCancelled
    }

    private let timers: TimerQueue
    private let state = Guarded(State.isAwake)
    private let alarm: SingleWait

    init(_ timers: TimerQueue) {
        self.timers = timers
        alarm = SingleWait(on: timers)
    }

    func begin(_ continuation: CheckedContinuation<Void, any Error>, until deadline: Int64) {
        let isCancelled = state.withLock { state in
            if case .isCancelled = state { return true }
            state = .sleeps(continuation)
            return false
        }
        if isCancelled { return continuation.resume(throwing: CancellationError()) }
        alarm.wait(until: deadline) { [self] in take(nextState: .isAwake)?.resume() }
        // It may have been cancelled meanwhile.
        if case .isCancelled = state.withLock({ $0 }) { alarm.cancel() }
    }

    func cancel() {
        let continuation = take(nextState: .isCancelled)
        alarm.cancel()
        continuation?.resume(throwing: CancellationError())
    }

    private func take(nextState: State) -> CheckedContinuation<Void, any Error>? {
        state.withLock { state in
            defer { state = nextState }
            if case .sleeps(let continuation) = state { return continuation }
            return nil
        }
    }
}
