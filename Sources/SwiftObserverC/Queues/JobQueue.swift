// SPDX-License-Identifier: MIT

import CPlatform
import CSwiftObserver
import Synchronization

/// Jobs that wait for a thread with an event loop, in one of two kinds: `BoundedQueue`, `UnboundedQueue`.
///
/// The descriptor is raised when the first job comes and cleared when the last one is gone: one system call
/// for a burst, however long it is.
class JobQueue {
    let event: Int32
    private let closed = Atomic(false)
    private var isRaised = false

    /// - Parameter event: the descriptor, which is the queue's from now on.
    init(event: Int32) { self.event = event }

    deinit { platform_event_free(event) }

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
                $0.push(job) ? SWO_OK : SWO_CALLBACK_FAILED
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
