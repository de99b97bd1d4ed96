// SPDX-License-Identifier: MIT

import CSwiftObserver
import ObserverEngine
import Synchronization

@_cdecl("swo_observable_on_demand")
public func swo_observable_on_demand(
    _ observable: OpaquePointer?, _ begin: swo_on_demand?, _ end: swo_on_demand?, _ context: UnsafeMutableRawPointer?,
    _ destroy: swo_destroy?
) -> swo_status {
    let context = Context(context, destroy)
    guard let observable else { return SWO_INVALID_ARGUMENT }
    // Counted, because a callback may release it.
    let handle = handle(observable)
    let work = ObservedWork(begin: { begin?(context.pointer) }, end: { end?(context.pointer) })
    handle.makeDemanded().set(work, for: handle)
    return withExtendedLifetime(handle) { SWO_OK }
}

/// Call this when an observation of an observable has begun, and its id is known.
@inline(__always)
func isObservedAgain(_ observable: OpaquePointer) {
    // Asked here, so that it costs two loads at most.
    presentObservable(observable)?._withUnsafeGuaranteedRef { if $0.hasDemanded { $0.isObservedAgain() } }
}

/// What an observable does on demand.
typealias Demanded = RefCount<ObservableHandle>

extension ObservableHandle {
    /// Whether there has been anything to be done on demand.
    var hasDemanded: Bool { demanded.load(ordering: .acquiring) != nil }

    /// Call this when an observation of this has begun, and its id is known.
    @inline(never)
    func isObservedAgain() {
        if case .derived(let variable) = role { variable.observationsBegan() }
        role.upstream?.isObservedAgain(self)
        guard let present = presentDemanded else { return }
        // Counted, because a callback may release it.
        let handle = Unmanaged.passUnretained(self).retain()
        present.settle(self)
        handle.release()
    }

    /// This is dead: nothing is done any more.
    @inline(never)
    func endDemanded() {
        if case .derived(let variable) = role { variable.close() }
        guard let demanded = presentDemanded else { return }
        demanded.set(nil, for: nil)
        Unmanaged.passUnretained(demanded).release()
    }

    /// Of a derived variable, or of what waits for a clock, which have to know of their observations themselves.
    private var noneYet: UnsafeMutableRawPointer? {
        if case .derived = role { return UnsafeMutableRawPointer(bitPattern: 1) }
        return role.upstream?.waits == true ? UnsafeMutableRawPointer(bitPattern: 1) : nil
    }

    /// Lets one of these know of its observations. Call this when it is made.
    func followsObservations() { demanded.store(noneYet, ordering: .relaxed) }

    fileprivate func makeDemanded() -> Demanded {
        if let presentDemanded { return presentDemanded }
        let made = Unmanaged.passRetained(Demanded(of: core, hiding: hiddenObservations))
        guard
            demanded.compareExchange(expected: noneYet, desired: made.toOpaque(), ordering: .acquiringAndReleasing)
                .exchanged
        else {
            // Another thread was faster.
            made.release()
            return presentDemanded!
        }
        made.takeUnretainedValue().follow()
        return made.takeUnretainedValue()
    }

    private var presentDemanded: Demanded? {
        let found = demanded.load(ordering: .acquiring)
        return found == noneYet ? nil : found.map { Unmanaged<Demanded>.fromOpaque($0).takeUnretainedValue() }
    }
}
