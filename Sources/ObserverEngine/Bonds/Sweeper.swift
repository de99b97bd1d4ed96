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
public final class Sweeper: Sendable {
    private let limit = Atomic<Int>(16)

    public init() {}

    /// Call this when an observation is to begin.
    public func sweep<Handler>(_ core: Core<Handler>, _ isAbandoned: (Handler) -> Bool) {
        guard core.observationCount >= limit.load(ordering: .relaxed) else { return }
        core.stopAbandoned(isAbandoned)
        limit.store(max(16, core.observationCount * 2), ordering: .relaxed)
    }
}
