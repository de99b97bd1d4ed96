// SPDX-License-Identifier: MIT

import ObserverEngine

/// Observes for an object, which it holds weakly, and which need be no observer itself.
///
///     observable --> handler --> weak observer - - > object
///
/// The object's death is not announced. The first message after it finds it out, or a sweep does.
///
/// - Note: `@unchecked Sendable`: the receiver guards itself, and the reference never changes.
@usableFromInline
final class WeakObserver<Object: AnyObject>: Observer, Forgetful, @unchecked Sendable {
    @usableFromInline let receiver = Receiver()
    @usableFromInline let reference: WeakReference<Object>

    @inlinable init(_ object: Object) { reference = WeakReference(object) }

    /// Calls a closure with the object, which cannot die meanwhile; if it is dead, stops observing instead.
    @inlinable
    func withObject(_ body: (Object) -> Void) {
        guard let object = reference.object else { return stopObserving() }
        body(object)
        withExtendedLifetime(object) {}
    }

    @usableFromInline var isAbandoned: Bool { reference.object == nil }
    @usableFromInline var nameOfObserver: String { String(describing: Object.self) }
}

/// An observer whose object may have died.
@usableFromInline
protocol Forgetful: AnyObject {
    var isAbandoned: Bool { get }
    /// The class of the object.
    var nameOfObserver: String { get }
    func stopObserving()
}

extension Messenger {
    /// Begins an observation for an object, which `begin` hands over to its observer.
    @inlinable
    func observe<Object: AnyObject>(
        weakly object: Object, _ begin: (WeakObserver<Object>) -> ObservationHandle
    ) -> ObservationHandle {
        sweep()
        let observer = WeakObserver(object)
        let observation = begin(observer)
        for id in [observation.id] + observation.parts { id.serve(observer) }
        return observation
    }

    @usableFromInline
    func sweep() {
        sweeper.sweep(core) {
            for case let observer as any Forgetful in core.servedObjects where observer.isAbandoned {
                observer.stopObserving()
            }
        }
    }
}
