// SPDX-License-Identifier: MIT

import ObserverEngine

/// An object that observes. It needs nothing at all:
///
///     class Dog: Observer {
///         deinit { stopObserving() }  // lets go of everything at once
///     }
///
/// A dead observer receives nothing. What its handlers hold is let go by the next message, by `stopObserving()`, which
/// therefore belongs into `deinit`, by `stopAbandonedObservations()`, and by the death of the observable.
/// An observer may observe the same observable any number of times.
public protocol Observer: AnyObject {}

extension Observer {
    /// Calls a closure for each message of an observable.
    ///
    ///     dog.observe(sky) { color in print(color) }
    ///
    /// Nothing is sent on beginning. The closure is kept until the observation ends, the observable is not.
    @inlinable
    public func observe<O: Observable>(_ observable: O, receive: @escaping (O.Message) -> Void) {
        observable.observationCore.observe(keptBy: self, receive)
    }

    /// Calls a closure whenever an observable of `Void` sends.
    @inlinable
    public func observe<O: Observable>(_ observable: O, receive: @escaping () -> Void) where O.Message == Void {
        observable.observationCore.observe(keptBy: self) { _ in receive() }
    }

    /// Ends all observations of one observable, also as a part of combined ones. Once this has returned, nothing of
    /// it arrives any more.
    @inlinable
    public func stopObserving<O: Observable>(_ observable: O?) {
        guard let observable else { return }
        ObjectKeeper.stopObservations(of: self, at: observable.observationCore)
    }

    /// Ends all observations of this observer.
    @inlinable
    public func stopObserving() { ObjectKeeper.stopObservations(of: self) }
}
