// SPDX-License-Identifier: MIT

import ObserverEngine

extension Observable {
    /// How many observations of this observable are living, those of transforms among them.
    public var observationCount: Int {
        let messenger = messenger
        return messenger.core.observationCount - messenger.hiddenObservations
    }

    /// Whether this observable has observers.
    public var isObserved: Bool { observationCount > 0 }
}
