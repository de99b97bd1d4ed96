// SPDX-License-Identifier: MIT

import CPlatform
import CSwiftObserver
import ObserverEngine
import Synchronization

/// Jobs that wait for a thread with an event loop, in one of two kinds: `BoundedQueue`, `UnboundedQueue`.
///
/// The descriptor is raised when the first job comes and cleared when the last one is gone: one system call
/// for a burst, however long it is.
///
/// Where something waits for its clock, the descriptor is raised when that is due, too.
class JobQueue {
    let event: platform_event
    private let closed = Atomic(false)
    private var isRaised = false
    /// Points at its clock, once it has one. Owned.
    private let timers = Atomic<UnsafeMutableRawPointer?>(nil)

    /// - Parameter event: the descriptor, which is the queue's from now on.
    init(event: platform_event) { self.event = event }

    deinit {
        if let timers = presentTimers { Unmanaged.passUnretained(timers).release() }
        platform_event_free(event)
    }

    /// Its clock, if it has one.
    final var presentTimers: TimerQueue? {
        timers.load(ordering: .acquiring).map { Unmanaged<TimerQueue>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Its clock. `nil` if there is no descriptor for it.
    final func madeTimers() -> TimerQueue? {
        if let presentTimers { return presentTimers }
        guard let alarm = Alarm.make(in: event) else { return nil }
        let made = Unmanaged.passRetained(TimerQueue(now: { platform_now() }, wakeAt: { alarm.set($0) }))
        if !timers.compareExchange(expected: nil, desired: made.toOpaque(), ordering: .acquiringAndReleasing).exchanged
        {
            // Another thread was faster.
            made.release()
        }
        if isClosed { presentTimers?.end() }
        return presentTimers
    }

    /// Takes a job over. @return False if it was refused.
    func push(_ job: OpaquePointer) -> Bool { false }

    /// Runs jobs, at most so many, or, with 0, as many as wait now. @return How many have run.
    func drain(most: Int) -> Int { 0 }

    /// Drops what waits, and refuses what comes.
    func close() {}

    /// Where an observation can leave its messages without a job for each.
    var unbounded: UnboundedQueue? { nil }

    final var isClosed: Bool { closed.load(ordering: .relaxed) }

    /// Nothing more is taken in. What comes in is locked.
    final func shut() { closed.store(true, ordering: .relaxed) }

    /// Something has come. What comes in is locked.
    final func raise() {
        if isRaised { return }
        isRaised = true
        platform_event_raise(event)
    }

    /// Nothing is left. What comes in is locked.
    final func clear() {
        if !isRaised { return }
        isRaised = false
        platform_event_clear(event)
    }

    /// The `execute` of its executor, whose context it is.
    static var execute: @convention(c) (UnsafeMutableRawPointer?, OpaquePointer) -> swo_status {
        { queue, job in
            Unmanaged<JobQueue>.fromOpaque(queue!)._withUnsafeGuaranteedRef {
                $0.push(job) ? SWO_OK : SWO_REFUSED
            }
        }
    }

    /// The queue whose executor this is.
    static func of(_ executor: swo_executor) -> JobQueue? {
        guard unsafeBitCast(executor.execute, to: UInt.self) == unsafeBitCast(execute, to: UInt.self),
            let context = executor.context
        else { return nil }
        return Unmanaged<JobQueue>.fromOpaque(context).takeUnretainedValue()
    }
}

/// The descriptor that becomes readable at a time, in that of a queue. The clock that sets it may outlive the queue.
private final class Alarm {
    private let descriptor: Int32
    /// A child process must not set that of its parent, which it shares.
    private let forks = platform_forks()

    static func make(in event: platform_event) -> Alarm? {
        let descriptor = platform_alarm_new(event)
        return descriptor < 0 ? nil : Alarm(descriptor)
    }

    private init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit { platform_alarm_free(descriptor) }

    func set(_ time: Int64) { if platform_forks() == forks { platform_alarm_set(descriptor, time) } }
}
