// SPDX-License-Identifier: MIT

import ObserverEngine

/// An observable that does something only while somebody observes it.
///
/// What it does begins with the first observer, and is cancelled when the last one leaves, or when the
/// observable dies. It begins anew with the next observer, unless it had been done. Messages are sent on
/// threads of Swift concurrency; observers choose their delivery as anywhere.
///
/// - Note: `@unchecked Sendable`: the state is guarded, and nothing else changes.
public class OnDemand<Message: Sendable>: Observable, @unchecked Sendable {
    public let messenger = Messenger<Message>()

    /// - Parameter report: sends a message, unless the work has been cancelled.
    /// - Returns: The last message. `nil` if there is none, because it was cancelled.
    typealias Operation = @Sendable (_ report: @escaping @Sendable (Message) -> Void) async -> Message?

    private let operation: Operation
    private let priority: TaskPriority?
    private let state = Guarded(State())

    private struct State {
        /// Counts the beginnings and cancellations: what is of another run does not count any more.
        var run = 0
        var isRunning = false
        var isDone = false
        var task: Task<Void, Never>?
        var latest: Message?
    }

    /// - Parameter replaysLatest: whether later observers receive the latest message first.
    init(priority: TaskPriority?, replaysLatest: Bool, _ operation: @escaping Operation) {
        self.operation = operation
        self.priority = priority
        let core = messenger.core
        if replaysLatest {
            // The first observation of all, so that it has a message when an observer may have it, and not before.
            let state = state
            _ = core.observe(
                .message { message in
                    let forgotten = state.withLock { state in
                        defer { state.latest = message }
                        return state.latest
                    }
                    withExtendedLifetime(forgotten) {}
                })
            messenger.hiddenObservations = 1
        }
        messenger.replay = { [weak self] in self?.joined() ?? [] }
        core.left = { [weak self, hidden = messenger.hiddenObservations] remaining in
            if remaining == hidden { self?.abandoned() }
        }
    }

    deinit { state.withLock { $0.task }?.cancel() }

    /// Somebody has begun to observe, and is to receive this first.
    private func joined() -> [Replayed<ClosureHandler<Message>>] {
        let (latest, run) = state.withLock { state -> (Message?, Int?) in
            guard !state.isRunning, !state.isDone else { return (state.latest, nil) }
            state.isRunning = true
            state.run += 1
            return (nil, state.run)
        }
        if let run { begin(run) }
        return latest.map { [Replayed($0, self)] } ?? []
    }

    private func begin(_ run: Int) {
        let task = Task(priority: priority) { [weak self, operation] in
            let last = await operation { [weak self] message in self?.report(message, run) }
            self?.finish(last, run)
        }
        let isCurrent = state.withLock { state in
            guard state.run == run, state.isRunning else { return false }
            state.task = task
            return true
        }
        if !isCurrent { task.cancel() }
    }

    private func report(_ message: Message, _ run: Int) {
        if state.withLock({ $0.run == run }) { send(message) }
    }

    private func finish(_ last: Message?, _ run: Int) {
        let isCurrent = state.withLock { state in
            guard state.run == run, state.isRunning else { return false }
            state.isRunning = false
            state.isDone = last != nil
            state.task = nil
            return true
        }
        if isCurrent, let last { send(last) }
    }

    /// The last observer has left.
    private func abandoned() {
        let (task, forgotten) = state.withLock { state -> (Task<Void, Never>?, Message?) in
            guard state.isRunning else { return (nil, nil) }
            defer {
                state.isRunning = false
                state.run += 1
                state.task = nil
                state.latest = nil
            }
            return (state.task, state.latest)
        }
        task?.cancel()
        withExtendedLifetime(forgotten) {}
        // Somebody may have joined before the work was cancelled, and counts on it.
        if isObserved { _ = joined() }
    }
}
