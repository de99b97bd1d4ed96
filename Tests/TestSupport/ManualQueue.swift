// SPDX-License-Identifier: MIT

import Foundation

/// A queue whose jobs run when a test says so, where the test says so.
///
/// - Note: `@unchecked Sendable`: the jobs are guarded by the lock.
public final class ManualQueue: @unchecked Sendable {
    public typealias Job = @Sendable () -> Void

    private let lock = NSLock()
    private var jobs: [Job] = []

    public init() {}

    public func runLater(_ job: @escaping Job) {
        lock.withLock { jobs.append(job) }
    }

    /// How many jobs wait.
    public var count: Int { lock.withLock { jobs.count } }

    /// Runs the first job.
    public func runNext() {
        take { $0.isEmpty ? nil : $0.removeFirst() }?()
    }

    /// Runs the job that came last.
    public func runLast() {
        take { $0.popLast() }?()
    }

    /// Runs jobs until none is left, also those that come meanwhile.
    public func runAll() {
        while let job = take({ $0.isEmpty ? nil : $0.removeFirst() }) { job() }
    }

    /// Forgets all jobs.
    public func dropAll() {
        let dropped = lock.withLock {
            defer { jobs = [] }
            return jobs
        }
        withExtendedLifetime(dropped) {}
    }

    private func take(_ choose: (inout [Job]) -> Job?) -> Job? {
        lock.withLock { choose(&jobs) }
    }
}
