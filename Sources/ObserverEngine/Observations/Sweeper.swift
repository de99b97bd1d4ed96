// SPDX-License-Identifier: MIT

import Synchronization

extension Core {
    /// Stops the observations that nobody needs any more, as their handlers tell.
    ///
    /// - Parameter isAbandoned: is asked without a lock, for to look at an observer may be to let go of it.
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

/// Stops abandoned observations now and then, where nobody tells when an observer has died: whenever there
/// are twice as many observations as it left the last time. So one costs constant time on average, and
/// those that are dead are never more than those that live, beyond a few.
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
