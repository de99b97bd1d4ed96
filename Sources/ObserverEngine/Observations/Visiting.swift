// SPDX-License-Identifier: MIT

import Synchronization

extension Core {
    /// Calls a closure with each living observation and its handler, in their order.
    ///
    /// The lock is held meanwhile: the closure runs no foreign code and takes no lock. What a handler holds
    /// is there, also if the observation is being stopped.
    @inlinable
    public func forEachObservation(_ body: (ObservationID, Handler) -> Void) {
        lock()
        defer { unlock() }
        guard let entries else { return }
        for position in 0..<entries.count {
            guard let slot = entries.slots[position], slot.pointee.isLiving else { continue }
            body(ObservationID(rawValue: slot.pointee.id), entries.handlers[position])
        }
    }
}
