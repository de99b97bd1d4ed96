// SPDX-License-Identifier: MIT

import ObserverEngine

/// A task of Swift concurrency that runs while there is a subscription.
///
/// - Note: `@unchecked Sendable`: core and runs may be used by any thread, and nothing else changes.
final class DemandedTask<Update: Sendable>: @unchecked Sendable {
    /// - Parameter report: posts an update, unless the task has been cancelled.
    /// - Returns: The last update; `nil` if the task has been cancelled.
    typealias Operation = @Sendable (_ report: @escaping @Sendable (Update) -> Void) async -> Update?

    private let core = Core<MessageClosure<Update>>(of: Publisher<Update>.self)
    private let runs: Share<MessageClosure<Update>>
    private let priority: TaskPriority?
    private let operation: Operation

    init(priority: TaskPriority?, _ operation: @escaping Operation) {
        self.priority = priority
        self.operation = operation
        let runs = Share(of: core, hiding: 1)
        self.runs = runs
        // The first observation of all, so that what others receive has been remembered.
        _ = core.observe(MessageClosure { runs.remember($0) })
        runs.set { [weak self] run in self?.begin(run) ?? {} }
    }

    deinit {
        runs.cancel()
        core.close()
    }

    var publisher: Publisher<Update> {
        Publisher { [weak self] updateBlock in
            guard let self else { return .empty }
            return Subscription(
                core.observe(
                    replaying: { [weak self] in self.map { $0.runs.replay(for: $0, author: ()) } ?? [] },
                    { _ in MessageClosure(updateBlock) }))
        }
    }

    private func begin(_ run: UInt64) -> () -> Void {
        let task = Task(priority: priority) { [weak self, operation] in
            let last = await operation { [weak self] update in self?.report(update, run) }
            self?.finish(last, run)
        }
        return { task.cancel() }
    }

    private func report(_ update: Update, _ run: UInt64) {
        if runs.isWanted(run) { core.send(update) }
    }

    private func finish(_ last: Update?, _ run: UInt64) {
        if let last, runs.finish(run) { core.send(last) }
    }
}
