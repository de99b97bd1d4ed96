// SPDX-License-Identifier: MIT

import CPlatform
import CSwiftObserver
import ObserverEngine

/// At most so many jobs that wait, and a policy for more.
///
/// Everything is guarded by the monitor. Jobs are run and dropped outside it.
final class BoundedQueue: JobQueue {
    private let monitor: OpaquePointer
    private let bound: Int
    private let policy: Int32
    private let content = Content()
    private var jobs: MessageQueue<OpaquePointer, Void> { content.jobs }

    /// One object, because Swift 6.0 frees a subclass that refers to two twice.
    private final class Content {
        let jobs = MessageQueue<OpaquePointer, Void>()
        /// The threads that are draining, each as often as it is.
        var drainers: [UInt64] = []
    }

    /// `nil` if there is no memory.
    static func make(raising event: platform_event, bound: Int, policy: Int32) -> BoundedQueue? {
        platform_monitor_new().map { BoundedQueue(raising: event, bound: bound, policy: policy, monitor: $0) }
    }

    private init(raising event: platform_event, bound: Int, policy: Int32, monitor: OpaquePointer) {
        self.monitor = monitor
        self.bound = bound
        self.policy = policy
        super.init(event: event)
    }

    deinit { platform_monitor_free(monitor) }

    override func close() {
        platform_monitor_enter(monitor)
        shut()
        platform_monitor_leave(monitor)
        while let job = takeNext() { swo_job_drop(job) }
    }

    override func push(_ job: OpaquePointer) -> Bool {
        var oldest: OpaquePointer?
        platform_monitor_enter(monitor)
        if jobs.count >= bound {
            platform_note_change()
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
        let isTaken = !isClosed
        if isTaken {
            jobs.append(job, ())
            raise()
        }
        platform_monitor_leave(monitor)
        swo_job_drop(oldest)
        return isTaken
    }

    /// Blocks until there is room, unless this thread would have to make it.
    /// @return False if the job is not wanted any more.
    private func waitForRoom(for job: OpaquePointer) -> Bool {
        let thread = platform_thread_identity()
        let job = Job.of(job).takeUnretainedValue()
        while jobs.count >= bound, !isClosed, !content.drainers.contains(where: { $0 == thread }) {
            // Not for ever: the end of an observation is not announced here, and the thread that stops it may be
            // the one that drains.
            platform_monitor_wait(monitor, 5)
            platform_monitor_leave(monitor)
            let isWanted = job.isWanted
            platform_monitor_enter(monitor)
            if !isWanted { return false }
        }
        return true
    }

    override func drain(most: Int) -> Int {
        let thread = platform_thread_identity()
        platform_monitor_enter(monitor)
        content.drainers.append(thread)
        let limit = most > 0 ? most : jobs.count
        platform_monitor_leave(monitor)
        var run = 0
        while run < limit, let job = takeNext() {
            swo_job_run(job)
            run += 1
        }
        platform_monitor_enter(monitor)
        if let index = content.drainers.lastIndex(of: thread) { content.drainers.remove(at: index) }
        platform_monitor_leave(monitor)
        return run
    }

    /// The job that has waited longest.
    @inline(never)
    private func takeNext() -> OpaquePointer? {
        platform_monitor_enter(monitor)
        defer { platform_monitor_leave(monitor) }
        let job = jobs.popFirst()?.message
        if jobs.count == 0 { clear() }
        platform_monitor_announce(monitor)
        return job
    }
}
