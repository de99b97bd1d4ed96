// SPDX-License-Identifier: MIT

import CPlatform
import CSwiftObserver
import ObserverEngine

/// Jobs that wait for a thread with an event loop.
///
/// The descriptor is raised when the first job comes and cleared when the last one goes: one system
/// call for a burst, however long it is. A queue without a bound has its jobs taken all at once, so that
/// whoever sends and whoever drains seldom meet at a lock.
///
/// `going` is guarded by the gate, everything else but `event` by the monitor; the gate is taken first.
/// Jobs are run and dropped outside both.
final class JobQueue {
    let event: Int32
    private let bound: Int
    private let policy: Int32
    private let monitor: OpaquePointer
    private let gate: OpaquePointer
    private let coming = MessageQueue<OpaquePointer, Void>()
    private let going = MessageQueue<OpaquePointer, Void>()
    private var isRaised = false
    private var isClosed = false
    private var blocked = 0
    /// The threads that are draining what has a bound, each as often as it is.
    private var drainers: [UInt] = []

    /// `nil` if there is no memory, or no descriptor to be had.
    init?(bound: Int, policy: Int32) {
        guard let monitor = platform_monitor_new() else { return nil }
        guard let gate = platform_monitor_new() else {
            platform_monitor_free(monitor)
            return nil
        }
        event = platform_event_new()
        guard event >= 0 else {
            platform_monitor_free(monitor)
            platform_monitor_free(gate)
            return nil
        }
        self.bound = bound
        self.policy = policy
        self.monitor = monitor
        self.gate = gate
    }

    deinit {
        platform_event_free(event)
        platform_monitor_free(gate)
        platform_monitor_free(monitor)
    }

    /// Drops what waits, and refuses what comes.
    func close() {
        platform_monitor_enter(monitor)
        isClosed = true
        platform_monitor_announce(monitor)
        platform_monitor_leave(monitor)
        platform_monitor_enter(gate)
        while let job = takeNext() {
            platform_monitor_leave(gate)
            swo_job_drop(job)
            platform_monitor_enter(gate)
        }
        platform_monitor_leave(gate)
    }

    /// Takes a job over. @return False if it was refused.
    func push(_ job: OpaquePointer) -> Bool {
        var oldest: OpaquePointer?
        platform_monitor_enter(monitor)
        if bound > 0, coming.count >= bound {
            switch policy {
            case SWO_QUEUE_REFUSE:
                platform_monitor_leave(monitor)
                return false
            case SWO_QUEUE_DROP_OLDEST:
                oldest = coming.popFirst()?.message
            default:
                guard waitForRoom(for: job) else {
                    platform_monitor_leave(monitor)
                    swo_job_drop(job)
                    return true
                }
            }
        }
        if isClosed {
            platform_monitor_leave(monitor)
            swo_job_drop(oldest)
            return false
        }
        coming.append(job, ())
        if !isRaised {
            isRaised = true
            platform_event_raise(event)
        }
        platform_monitor_leave(monitor)
        swo_job_drop(oldest)
        return true
    }

    /// Blocks until there is room, unless this thread would have to make it.
    /// @return False if the job's observation has ended meanwhile.
    private func waitForRoom(for job: OpaquePointer) -> Bool {
        let thread = platform_thread()
        let courier = Courier.of(job).takeUnretainedValue()
        blocked += 1
        defer { blocked -= 1 }
        while coming.count >= bound, !isClosed, !drainers.contains(where: { $0 == thread }) {
            // Not for ever: nobody announces that the observation was stopped, and whoever stops it may be
            // the one who drains.
            platform_monitor_wait(monitor, 5)
            platform_monitor_leave(monitor)
            let isWanted = courier.mailbox.observation.isLiving
            platform_monitor_enter(monitor)
            if !isWanted { return false }
        }
        return true
    }

    /// Runs jobs, at most so many, or, with 0, as many as wait now. @return How many have run.
    func drain(most: Int) -> Int {
        platform_monitor_enter(gate)
        platform_monitor_enter(monitor)
        let thread = platform_thread()
        if bound > 0 { drainers.append(thread) }
        let limit = most > 0 ? most : coming.count + going.count
        platform_monitor_leave(monitor)
        var run = 0
        while run < limit, let job = takeNext() {
            platform_monitor_leave(gate)
            swo_job_run(job)
            run += 1
            platform_monitor_enter(gate)
        }
        platform_monitor_leave(gate)
        if bound > 0 {
            platform_monitor_enter(monitor)
            if let index = drainers.lastIndex(of: thread) { drainers.remove(at: index) }
            platform_monitor_leave(monitor)
        }
        return run
    }

    /// The job that has waited longest. The gate is held.
    private func takeNext() -> OpaquePointer? {
        if bound == 0, going.count > 1 { return going.popFirst()?.message }
        platform_monitor_enter(monitor)
        defer { platform_monitor_leave(monitor) }
        if bound == 0, going.count == 0 { going.exchange(with: coming) }
        let job = bound == 0 ? going.popFirst() : coming.popFirst()
        if isRaised, coming.count + going.count == 0 {
            isRaised = false
            platform_event_clear(event)
        }
        if blocked > 0 { platform_monitor_announce(monitor) }
        return job?.message
    }
}
