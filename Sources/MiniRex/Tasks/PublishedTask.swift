// SPDX-License-Identifier: MIT

/// Something to be done once, whose result every subscriber receives.
///
///     let download = PublishedTask { try await fetch(page) }
///     let subscription = download.publisher.subscribe { result in ... }
///
/// It starts when the first subscriber subscribes, and only then. There is one update, the result; later
/// subscribers receive it at once. If the last subscriber leaves before it is done, the task is cancelled, and
/// starts again for the next one. The publisher does not keep this task alive: its owner must.
public final class PublishedTask<Success: Sendable>: Sendable {
    private let task: DemandedTask<Result<Success, any Error>>

    /// A task that starts with the first subscriber. Updates come on a thread of Swift concurrency; use
    /// ``Publisher/dispatch(updateQueue:)`` for another.
    public init(priority: TaskPriority? = nil, _ operation: @escaping @Sendable () async throws -> Success) {
        task = DemandedTask(priority: priority) { _ in await outcome(of: operation) }
    }

    /// Posts the result.
    public var publisher: Publisher<Result<Success, any Error>> { task.publisher }
}

/// An update of a ``PublishedProgressiveTask``.
public enum TaskUpdate<Progress, Success> {
    /// How far it has got.
    case progress(Progress)
    /// It is done. This comes last.
    case result(Result<Success, any Error>)
}

extension TaskUpdate: Sendable where Progress: Sendable, Success: Sendable {}

/// Something to be done once, which tells how far it has got.
///
///     let reading = PublishedProgressiveTask.readingFile(at: url)
///     let subscription = reading.publisher.subscribe { update in ... }
///
/// Everything else is as with ``PublishedTask``; later subscribers receive the latest update first.
public final class PublishedProgressiveTask<Progress: Sendable, Success: Sendable>: Sendable {
    private let task: DemandedTask<TaskUpdate<Progress, Success>>

    /// A task that starts with the first subscriber.
    public init(
        priority: TaskPriority? = nil,
        _ operation: @escaping @Sendable (_ report: @escaping @Sendable (Progress) -> Void) async throws -> Success
    ) {
        task = DemandedTask(priority: priority) { report in
            await outcome(of: { try await operation { report(.progress($0)) } }).map { .result($0) }
        }
    }

    /// Posts how far the task has got, and its result.
    public var publisher: Publisher<TaskUpdate<Progress, Success>> { task.publisher }
}

/// The result of an operation. `nil` where the task has been cancelled: no subscriber is left.
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
