// SPDX-License-Identifier: MIT

public import CPlatform

/// The actor that a handler belongs to. It is not kept: it may be the observer.
///
/// - Note: `@unchecked Sendable`: only the runtime sets the reference, when the actor dies.
@usableFromInline
package final class Isolation: @unchecked Sendable {
    private weak var actor: (any Actor)?
    @usableFromInline let executor: UInt
    @usableFromInline let isMain: Bool

    @usableFromInline
    package init(_ actor: any Actor) {
        self.actor = actor
        executor = identity(of: actor.unownedExecutor)
        isMain = actor === MainActor.shared
    }

    /// Whether the calling thread is running on the actor.
    ///
    /// Where the runtime knows of no executor, outside of all tasks, the main thread is the main actor's.
    @inlinable
    package var isCurrent: Bool {
        let current = platform_current_executor()
        if current == 0 { return isMain && platform_is_main_thread_inline() }
        return current == executor && (isMain || isLiving)
    }

    @usableFromInline var isLiving: Bool { actor != nil }

    /// Runs a job on the actor, later, if the actor lives.
    @usableFromInline
    package func runLater(_ job: @escaping @Sendable () -> Void) {
        if isMain {
            Task { @MainActor in job() }
        } else if let actor {
            Task { await actor.run(job) }
        }
    }
}

extension Actor {
    fileprivate func run(_ job: @Sendable () -> Void) { job() }
}

/// The runtime tells executors apart by this: the first of the two words of a reference.
private func identity(of executor: UnownedSerialExecutor) -> UInt {
    unsafeBitCast(executor, to: (UInt, UInt).self).0
}
