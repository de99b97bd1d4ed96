// SPDX-License-Identifier: MIT

import ObserverEngine

extension Observable {
    /// An observable that sends each message of this one together with the one before it.
    ///
    ///     sent      1        2      3
    ///     passed   (nil, 1) (1, 2) (2, 3)
    @inlinable
    public func withPrevious() -> Transform<Self, (previous: Message?, current: Message)> {
        Transform(self, addingPrevious())
    }
}

extension AdHocObservation {
    /// Receives each message together with the one before it, as one pair.
    ///
    ///     dog.observe(number).new().withPrevious().receive { pair in print(pair.previous ?? 0, pair.current) }
    ///
    ///     sent       1        2      3
    ///     received  (nil, 1) (1, 2) (2, 3)
    @inlinable
    public func withPrevious() -> AdHocObservation<(previous: Message?, current: Message)> {
        through { addingPrevious() }
    }
}
