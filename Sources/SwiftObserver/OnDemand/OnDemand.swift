// SPDX-License-Identifier: MIT

import ObserverEngine

/// An observable that does something only while it is observed.
///
/// Its work begins with the first observer, and is cancelled when the last one leaves, or when the
/// observable dies. It begins again with the next observer, unless it had been done. Messages are sent on
/// threads of Swift concurrency; observers choose their delivery as anywhere.
///
/// - Note: `@unchecked Sendable`: the runs may be used by any thread, and nothing else changes.
public class OnDemand<Message: Sendable>: Observable, @unchecked Sendable {
    public let messenger = Messenger<Message>()

    /// - Parameter report: sends a message, unless the work has been cancelled.
    /// - Returns: The last message. `nil` if there is none, because it was cancelled.
    typealias Operation = @Sendable (_ report: @escaping @Sendable (Message) -> Void) async -> Message?

    private let runs: Share<ClosureHandler<Message>>

    /// - Parameter replaysLatest: whether later observers receive the latest message first.
    init(priority: TaskPriority?, replaysLatest: Bool, _ operation: @escaping Operation) {
        runs = Share(of: messenger.core, hiding: replaysLatest ? 1 : 0)
        if replaysLatest {
            // The first observation of all, so that it has a message when an observer may have it, and not before.
            messenger.observeItself(.message { [runs] in runs.remember($0) })
        }
        set { [weak self] run in
            let task = Task(priority: priority) {
                let last = await operation { [weak self] message in self?.report(message, run) }
                self?.finish(last, run)
            }
            return { task.cancel() }
        }
    }

    /// - Parameter begin: begins what sends messages, on any thread, until what it returns is called.
    package init(_ begin: @escaping (_ report: @escaping @Sendable (Message) -> Void) -> () -> Void) {
        runs = Share(of: messenger.core)
        set { [weak self] run in begin { [weak self] message in self?.report(message, run) } }
    }

    private func set(_ begin: @escaping (UInt64) -> () -> Void) {
        runs.set(begin)
        messenger.replay = { [weak self] in self.map { $0.runs.replay(for: $0, author: $0) } ?? [] }
    }

    deinit { runs.cancel() }

    private func report(_ message: Message, _ run: UInt64) {
        if runs.isWanted(run) { send(message) }
    }

    private func finish(_ last: Message?, _ run: UInt64) {
        if let last, runs.finish(run) { send(last) }
    }
}
