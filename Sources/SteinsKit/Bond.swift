// SPDX-License-Identifier: MIT

import ObserverEngine
import Synchronization

/// What an observation lasts for: an observer and, where there is one, a disposer, both held weakly. Nobody
/// tells when they die. It is found out by the next message, or when others begin.
///
/// - Note: `@unchecked Sendable`: the references are set by nobody but the runtime, when an object dies.
@usableFromInline
class Bond: @unchecked Sendable {
    @usableFromInline final weak var disposer: AnyObject?
    @usableFromInline final let hasDisposer: Bool
    private let observation = Atomic<UInt64>(0)

    @usableFromInline
    init(disposer: AnyObject?) {
        self.disposer = disposer
        hasDisposer = disposer != nil
    }

    /// Tells which observation this is the bond of.
    @usableFromInline
    final func begin(_ id: ObservationID) { observation.store(id.rawValue, ordering: .releasing) }

    /// Whether one of the two has died.
    @usableFromInline var isBroken: Bool { hasDisposer && disposer == nil }

    /// Ends the observation, because one of the two has died.
    @usableFromInline
    final func end() {
        let id = observation.load(ordering: .acquiring)
        if id != 0 { ObservationID(rawValue: id).stop() }
    }
}

/// A bond with an observer of a known type.
@usableFromInline
final class ObserverBond<Observer: AnyObject>: Bond, @unchecked Sendable {
    @usableFromInline let reference: WeakReference<Observer>

    @inlinable
    init(_ observer: Observer, disposer: AnyObject?) {
        reference = WeakReference(observer)
        super.init(disposer: disposer)
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

/// A handler that is a closure, and the bond for which it is called.
@usableFromInline
struct BoundHandler<Message>: MessageHandler {
    @usableFromInline let call: (Message) -> Void
    /// `nil` where it is called for as long as it is not stopped.
    @usableFromInline let bond: Bond?

    @inlinable
    init(bond: Bond?, _ call: @escaping (Message) -> Void) {
        self.call = call
        self.bond = bond
    }

    @inlinable static var inert: BoundHandler { BoundHandler(bond: nil) { _ in } }

    @inlinable func receive(_ message: Message, _ author: Void) { call(message) }

    /// The closure holds its own context, and lets go of it with this value.
    @inlinable func end(_ destroy: Destroy?) {}

    @inlinable static func keep(_ message: Message) -> Message? { message }

    @inlinable static func withMessage(_ waiting: borrowing Message, _ body: (Message) -> Void) { body(copy waiting) }
}
