// SPDX-License-Identifier: MIT

import ObserverEngine

/// The objects that an observation lasts for: an observer and, where there is one, a disposer, both held weakly. Their
/// death is not announced: the next message finds it out, or the next observation that begins.
///
/// - Note: `@unchecked Sendable`: only the runtime sets the references, when an object dies.
@usableFromInline
class WeakLifetime: @unchecked Sendable {
    @usableFromInline final weak var disposer: AnyObject?
    @usableFromInline final let hasDisposer: Bool
    private let observation: ObservationID

    @usableFromInline
    init(_ observation: ObservationID, disposer: AnyObject?) {
        self.observation = observation
        self.disposer = disposer
        hasDisposer = disposer != nil
    }

    /// Whether one of the two has died.
    @usableFromInline var isBroken: Bool { hasDisposer && disposer == nil }

    /// Ends the observation, because one of the two has died.
    @usableFromInline
    final func end() { observation.stop() }
}

/// A lifetime with an observer of a known type.
@usableFromInline
final class WeakObserverLifetime<Observer: AnyObject>: WeakLifetime, @unchecked Sendable {
    @usableFromInline let reference: WeakReference<Observer>

    @inlinable
    init(of observation: ObservationID, _ observer: Observer, disposer: AnyObject?) {
        reference = WeakReference(observer)
        super.init(observation, disposer: disposer)
    }

    /// Calls a closure with the observer, unless that has died. It cannot die meanwhile. For a lifetime without disposer.
    @inlinable @inline(__always)
    func withObserverAlone(_ body: (Observer) -> Void) {
        guard let observer = reference.object else { return end() }
        body(observer)
        withExtendedLifetime(observer) {}
    }

    /// Calls a closure with the observer, unless one of the two has died. Neither can die meanwhile.
    @inlinable
    func withObserver(_ body: (Observer) -> Void) {
        let disposer = hasDisposer ? disposer : nil
        guard let observer = reference.object, !hasDisposer || disposer != nil else { return end() }
        body(observer)
        withExtendedLifetime((observer, disposer)) {}
    }

    @usableFromInline override var isBroken: Bool { reference.object == nil || super.isBroken }
}
