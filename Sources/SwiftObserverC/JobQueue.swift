// SPDX-License-Identifier: MIT

import CPlatform
import CSwiftObserver
import ObserverEngine

/// Jobs that wait for a thread with an event loop.
///
/// The descriptor is raised when the first job comes and cleared when the last one goes: one system
/// call for a burst, however long it is. Everything but `event` is guarded by the monitor; jobs are run
/// and dropped outside it.
final class JobQueue {
    let event: Int32
    private let bound: Int
    private let policy: Int32
    private let monitor: OpaquePointer
    private let jobs = MessageQueue<OpaquePointer, Void>()
    private var isRaised = false
    private var isClosed = false
    private var blocked = 0
    /// The threads that are draining, each as often as it is.
    private var drainers: [UInt] = []

    init(bound: Int, policy: Int32, monitor: OpaquePointer, event: Int32) {
        self.bound = bound
        self.policy = policy
        self.monitor = monitor
        self.event = event
    }

    deinit {
        platform_event_free(event)
        platform_monitor_free(monitor)
    }

    /// Drops what waits, and refuses what comes.
    func close() {
        platform_monitor_enter(monitor)
        isClosed = true
        platform_monitor_announce(monitor)
        while let job = jobs.popFirst() {
            platform_monitor_leave(monitor)
            swo_job_drop(job.message)
            platform_monitor_enter(monitor)
        }
        platform_monitor_leave(monitor)
    }

    /// Takes a job over. @return False if it was refused.
    func push(_ job: OpaquePointer) -> Bool {
        var oldest: OpaquePointer?
        platform_monitor_enter(monitor)
        if bound > 0, jobs.count >= bound {
            switch policy {
            case SWO_QUEUE_REFUSE:
                platform_monitor_leave(monitor)
                return false
            case SWO_QUEUE_DROP_OLDEST:
                oldest = jobs.popFirst()?.message
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
        jobs.append(job, ())
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
        let courier = Unmanaged<Courier>.fromOpaque(UnsafeRawPointer(job)).takeUnretainedValue()
        blocked += 1
        defer { blocked -= 1 }
        while jobs.count >= bound, !isClosed, !drainers.contains(where: { $0 == thread }) {
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
        let thread = platform_thread()
        platform_monitor_enter(monitor)
        drainers.append(thread)
        let limit = most > 0 ? most : jobs.count
        var run = 0
        while run < limit, let job = jobs.popFirst() {
            if jobs.count == 0 {
                isRaised = false
                platform_event_clear(event)
            }
            if blocked > 0 { platform_monitor_announce(monitor) }
            platform_monitor_leave(monitor)
            swo_job_run(job.message)
            run += 1
            platform_monitor_enter(monitor)
        }
        if let index = drainers.lastIndex(of: thread) { drainers.remove(at: index) }
        platform_monitor_leave(monitor)
        return run
    }
}
