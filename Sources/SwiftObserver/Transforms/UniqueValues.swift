// SPDX-License-Identifier: MIT

import ObserverEngine

extension Observable where Message: Hashable {
    /// An observable that sends each message of this one that it never sent before. It remembers them all.
    ///
    ///     sent    1 2 1 3 2
    ///     passed  1 2   3
    @inlinable
    public func uniqueValues() -> Transform<Self, Message> {
        Transform(self, takingUnique())
    }
}

extension AdHocObservation where Message: Hashable {
    /// Receives each message once. The observation remembers them all.
    ///
    ///     sent      1 2 1 3 2
    ///     received  1 2   3
    @inlinable
    public func uniqueValues() -> AdHocObservation<Message> {
        through { takingUnique() }
    }
}
