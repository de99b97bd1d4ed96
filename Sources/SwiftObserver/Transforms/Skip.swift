// SPDX-License-Identifier: MIT

import ObserverEngine

extension Observable {
    /// An observable that leaves out the first messages of this one.
    ///
    ///     sent             1 2 3 4
    ///     passed, skip(2)      3 4
    @inlinable
    public func skip(_ count: Int) -> Transform<Self, Message> {
        Transform(self, skipping(count))
    }
}

extension AdHocObservation {
    /// Leaves out the first messages.
    ///
    ///     sent               1 2 3 4
    ///     received, skip(2)      3 4
    @inlinable
    public func skip(_ count: Int) -> AdHocObservation<Message> {
        through { skipping(count) }
    }
}
