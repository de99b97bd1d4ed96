// SPDX-License-Identifier: MIT

/// Whatever runs jobs later: a queue, an executor, a run loop.
///
///     struct Worker: DeliveryQueue {
///         func runLater(_ job: @escaping @Sendable () -> Void) { pool.submit(job) }
///     }
///
/// The messages of one observation keep their order on any queue, also on one that runs jobs side by
/// side. A queue that runs its jobs in order keeps the order among all the observations it serves.
/// A job that is dropped leaves its message undelivered until the next job runs.
public protocol DeliveryQueue: Sendable {
    /// Runs a job later, on whatever thread.
    func runLater(_ job: @escaping @Sendable () -> Void)
}

/// A queue that can also be waited for.
public protocol SynchronousDeliveryQueue: DeliveryQueue {
    /// Runs a job in its turn and returns when it has run.
    func runAndWait(_ job: () -> Void)
}
