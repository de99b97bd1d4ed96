// SPDX-License-Identifier: MIT

/// Something to be done once, whose result every observer gets.
///
///     let download = Work { try await fetch(page) }
///     observer.observe(download) { result in ... }
///
/// It starts when the first observer begins to observe it, and only then. The result is sent once; later
/// observers receive it when they begin. If the last observer leaves before it is done, the work is cancelled,
/// and starts again for the next one. Its owner must hold it.
public final class Work<Success: Sendable>: OnDemand<Result<Success, any Error>>, @unchecked Sendable {
    /// Something that will be done when it is observed.
    ///
    /// - Parameters:
    ///   - priority: of the task that does it.
    ///   - retries: how often it is done once more when it has failed. Only the last error is sent.
    ///   - operation: does it, and is cancelled when nothing observes any more.
    public init(
        priority: TaskPriority? = nil, retrying retries: Int = 0,
        _ operation: @escaping @Sendable () async throws -> Success
    ) {
        precondition(retries >= 0, "work cannot be done again less than not at all: \(retries)")
        super.init(priority: priority, replaysLatest: true) { _ in
            var result = await outcome(of: operation)
            for _ in 0..<retries {
                guard case .failure = result else { break }
                result = await outcome(of: operation)
            }
            return result
        }
    }

    /// Waits for the result. It is an error if the waiting task is cancelled before.
    public var value: Success {
        get async throws {
            guard let result = await next() else { throw CancellationError() }
            return try result.get()
        }
    }
}

/// The message of a ``ProgressiveWork``.
public enum Advance<Progress, Success> {
    /// How far it has got.
    case progress(Progress)
    /// It is done. This comes last.
    case result(Result<Success, any Error>)
}

extension Advance: Sendable where Progress: Sendable, Success: Sendable {}

/// Something to be done once, which tells how far it has got.
///
///     let download = ProgressiveWork<Int, Data> { report in
///         ...
///         report(percent)
///         ...
///     }
///     observer.observe(download) { advance in ... }
///
/// Everything else is as with ``Work``; later observers receive the latest message first.
public final class ProgressiveWork<Progress: Sendable, Success: Sendable>: OnDemand<Advance<Progress, Success>>,
    @unchecked Sendable
{
    /// Something that will be done when it is observed.
    public init(
        priority: TaskPriority? = nil,
        _ operation: @escaping @Sendable (_ report: @escaping @Sendable (Progress) -> Void) async throws -> Success
    ) {
        super.init(priority: priority, replaysLatest: true) { report in
            await outcome(of: { try await operation { report(.progress($0)) } }).map { .result($0) }
        }
    }
}

/// `nil` where the task has been cancelled: no observer is left.
private func outcome<Success>(
    of operation: @Sendable () async throws -> Success
) async -> Result<Success, any Error>? {
    let result: Result<Success, any Error>
    do {
        result = .success(try await operation())
    } catch {
        result = .failure(error)
    }
    return Task.isCancelled ? nil : result
}
