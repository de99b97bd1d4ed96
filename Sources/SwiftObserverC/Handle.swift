// SPDX-License-Identifier: MIT

import CSwiftObserver
import ObserverEngine
import Synchronization

/// What a `swo_observable *` points at. This file is where pointers of C become objects, and back.
final class ObservableHandle {
    let core: Core<CHandler>
    /// Set where this is a variable.
    let variable: Variable<OwnedValue, CHandler>?
    /// Where assignments and messages wait for their turn, if this is a variable that defers them.
    let turns: Turns?
    /// What is sent goes in here: one of the two.
    private let entrance: Unmanaged<Core<CHandler>>
    /// Set where this is a transform.
    let origin: Origin?
    /// Points at what is done on demand, once there has been anything. Owned.
    let demanded = Atomic<UnsafeMutableRawPointer?>(nil)

    init(
        core: Core<CHandler>, variable: Variable<OwnedValue, CHandler>? = nil, turns: Turns? = nil,
        origin: Origin? = nil
    ) {
        self.core = core
        self.variable = variable
        self.turns = turns
        entrance = .passUnretained(turns?.core ?? core)
        self.origin = origin
    }

    deinit {
        origin?.end()
        entrance._withUnsafeGuaranteedRef { $0.close() }
        endDemanded()
    }

    /// Sends a checked message.
    @inline(__always)
    func send(_ message: UnsafePointer<swo_value>, author: UnsafeRawPointer) -> swo_status {
        entrance._withUnsafeGuaranteedRef { status(of: $0.send(message, author: author)) }
    }

    /// Whether this is a variable that defers its assignments.
    var isDeferring: Bool { turns != nil }

    /// What a memory is told with is no observation of anybody's.
    var hiddenObservations: Int { origin?.memory == nil ? 0 : 1 }

    /// What this is, for people to read.
    var kind: StaticString { variable == nil ? origin?.kind ?? "messenger" : "variable" }

    /// The handle as C holds it, with one ownership for the caller.
    consuming func export() -> OpaquePointer {
        OpaquePointer(Unmanaged.passRetained(self).toOpaque())
    }
}

/// Calls `body` with the object behind a pointer of C, without counting references: the caller owns it
/// for the length of the call, except if a handler releases it, which the core survives.
@inline(__always)
func withHandle<Handle: AnyObject, Result>(
    _ pointer: OpaquePointer, _ type: Handle.Type, _ body: (Handle) -> Result
) -> Result {
    Unmanaged<Handle>.fromOpaque(UnsafeRawPointer(pointer))._withUnsafeGuaranteedRef { body($0) }
}

/// The observable behind a pointer of C, counted.
func handle(_ observable: OpaquePointer) -> ObservableHandle {
    Unmanaged<ObservableHandle>.fromOpaque(UnsafeRawPointer(observable)).takeUnretainedValue()
}

func retain<Handle: AnyObject>(_ pointer: OpaquePointer?, _ type: Handle.Type) -> OpaquePointer? {
    if let pointer { _ = Unmanaged<Handle>.fromOpaque(UnsafeRawPointer(pointer)).retain() }
    return pointer
}

func release<Handle: AnyObject>(_ pointer: OpaquePointer?, _ type: Handle.Type) {
    if let pointer { Unmanaged<Handle>.fromOpaque(UnsafeRawPointer(pointer)).release() }
}

/// A context of C with what ends it; it ends when nothing refers to this any more.
final class Context {
    let pointer: UnsafeMutableRawPointer?
    private let destroy: swo_destroy?

    init(_ pointer: UnsafeMutableRawPointer?, _ destroy: swo_destroy?) {
        self.pointer = pointer
        self.destroy = destroy
    }

    deinit { destroy?(pointer) }
}
