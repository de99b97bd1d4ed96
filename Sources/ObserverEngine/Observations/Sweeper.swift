// SPDX-License-Identifier: MIT

import Synchronization

extension Core {
    /// Stops the observations whose handlers say that they are no longer needed.
    ///
    /// - Parameter isAbandoned: is asked without a lock, because looking at an observer can release it.
    /// - Returns: Whether there were any.
    @inlinable @discardableResult
    public func stopAbandoned(_ isAbandoned: (Handler) -> Bool) -> Bool {
        var observations: [(id: ObservationID, handler: Handler)] = []
        forEachObservation { observations.append(($0, $1)) }
        var any = false
        for one in observations where isAbandoned(one.handler) && one.id.stop() { any = true }
        return any
    }
}

/// Stops abandoned observations now and then, where the death of an observer is not announced: whenever there
/// are twice as many observations as it left the last time. So each costs constant time on average, and the
/// dead never outnumber the living by more than a few.
public struct Sweeper: ~Copyable, Sendable {
    @usableFromInline let limit = Atomic<Int>(16)

    @inlinable
    public init() {}

    /// Call this when an observation is to begin.
    public func sweep<Handler>(_ core: Core<Handler>, _ isAbandoned: (Handler) -> Bool) {
        sweep(core) { core.stopAbandoned(isAbandoned) }
    }

    /// Call this when an observation is to begin.
    ///
    /// - Parameter stopAbandoned: looks at all observations.
    public func sweep(_ core: AnyCore, stopAbandoned: () -> Void) {
        guard core.observationCount >= limit.load(ordering: .relaxed) else { return }
        stopAbandoned()
        limit.store(max(16, core.observationCount * 2), ordering: .relaxed)
    }
}
