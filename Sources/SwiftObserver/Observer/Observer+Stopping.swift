// SPDX-License-Identifier: MIT

import ObserverEngine

extension Observer {
    /// Ends all observations of one observable. Once this has returned, nothing of it arrives any more.
    @inlinable
    public func stopObserving<O: Observable>(_ observable: O) {
        receiver.keeper.stop(observable.messenger.core)
    }

    /// Ends all observations of this observer.
    @inlinable
    public func stopObserving() {
        receiver.keeper.stopAll()
    }

    /// Whether this observer is observing an observable.
    @inlinable
    public func isObserving<O: Observable>(_ observable: O) -> Bool {
        receiver.keeper.isObserving(observable.messenger.core)
    }
}
