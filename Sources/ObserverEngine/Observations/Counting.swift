// SPDX-License-Identifier: MIT

import Synchronization

extension AnyCore {
    /// How many observations are living.
    public final var observationCount: Int {
        lock()
        defer { unlock() }
        return Int(living)
    }

    /// The thread that delivered last. 0 before the first delivery.
    public final var latestThread: UInt { owner.load(ordering: .relaxed) }
}
