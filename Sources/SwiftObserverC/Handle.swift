// SPDX-License-Identifier: MIT

import CSwiftObserver
import ObserverEngine
import Synchronization

/// An observable as C owns it. This file is where pointers of C become objects, and back.
///
/// A `swo_observable *` points at the core, which outlives this until the delivery in progress is over: so an author
/// names one observable as long as its messages are under way.
final class ObservableHandle {
    let core: Core<CHandler>
    let role: Role
    /// What a send or an assignment needs to know, at the cost of one load.
    private let access: Atomic<UInt>
    /// Points at what is done on demand, once there has been anything. Owned.
    let demanded = Atomic<UnsafeMutableRawPointer?>(nil)
    /// Points at the thread that this is confined to. Owned.
    private let home = Atomic<UnsafeMutableRawPointer?>(nil)

    init(_ core: Core<CHandler>, _ role: Role = .messenger) {
        // First: reading what has been stored would count references.
        access = Atomic(Access.of(role))
        self.core = core
        self.role = role
        core.client = Unmanaged.passUnretained(self).toOpaque()
        noteMade(pointer, .observable, core.kind)
    }

    deinit {
        noteDied(self)
        var sources = role.upstream?.end()
        // Not counted for that.
        Unmanaged.passUnretained(core)._withUnsafeGuaranteedRef { $0.close() }
        if hasDemanded { endDemanded() }
        if isConfined { endConfinement() }
        if sources != nil { letGo(&sources!) }
    }

    /// The variable that this is, not to be counted where that would cost more than the rest. `nil` where this is confined.
    @inline(__always)
    var uncounted: Unmanaged<Variable<OwnedValue, CHandler>>? {
        let now = access.load(ordering: .relaxed)
        return now > Access.any ? .fromOpaque(UnsafeRawPointer(bitPattern: now).unsafelyUnwrapped) : nil
    }

    /// Whether any message can be sent here, on any thread.
    @inline(__always)
    var takesAnything: Bool { access.load(ordering: .relaxed) == Access.any }

    private var isConfined: Bool { home.load(ordering: .acquiring) != nil }

    @inline(never)
    private func endConfinement() {
        if let home = home.load(ordering: .acquiring) { Unmanaged<Home>.fromOpaque(home).release() }
    }

    /// Where this is confined to, if anywhere.
    var confinement: Home? {
        home.load(ordering: .acquiring).map { Unmanaged<Home>.fromOpaque($0).takeUnretainedValue() }
    }

    /// - Returns: False if it is confined already.
    func confine(to new: Home) -> Bool {
        let made = Unmanaged.passRetained(new)
        guard
            home.compareExchange(expected: nil, desired: made.toOpaque(), ordering: .acquiringAndReleasing).exchanged
        else {
            made.release()
            return false
        }
        access.store(Access.checked, ordering: .relaxed)
        return true
    }

    /// What a memory is told with is no observation of a user's.
    var hiddenObservations: Int { role.upstream?.memory == nil ? 0 : 1 }

    /// The pointer that C has.
    var pointer: UnsafeMutableRawPointer { Unmanaged.passUnretained(core).toOpaque() }

    /// The handle as C holds it, with one ownership for the caller.
    consuming func export() -> OpaquePointer {
        let pointer = OpaquePointer(pointer)
        noteRetain(pointer, .observable, "new")
        _ = Unmanaged.passRetained(self)
        return pointer
    }
}

/// What an observable is.
enum Role {
    case messenger
    case variable(Variable<OwnedValue, CHandler>)
    case deferred(DeferredVariable<OwnedValue, CHandler>)
    case transform(Upstream)

    var isVariable: Bool {
        switch self {
        case .variable, .deferred: return true
        case .messenger, .transform: return false
        }
    }

    /// Whether assignments wait among the messages.
    var assignsInTurn: Bool {
        if case .deferred = self { return true }
        return false
    }

    var upstream: Upstream? {
        if case .transform(let upstream) = self { return upstream }
        return nil
    }
}

/// What can be done with an observable at once: a number, or the address of a variable.
private enum Access {
    /// Each call looks at the role and the confinement.
    static var checked: UInt { 0 }
    /// Any message can be sent.
    static var any: UInt { 1 }

    static func of(_ role: Role) -> UInt {
        switch role {
        case .messenger, .transform: return any
        case .variable(let variable): return UInt(bitPattern: Unmanaged.passUnretained(variable).toOpaque())
        case .deferred: return checked
        }
    }
}

/// Releases the sources of a transform that dies, and theirs: one after the other, because a chain may be long.
@inline(never)
private func letGo(_ pending: inout [ObservableHandle]) {
    while var source = pending.popLast() {
        if isKnownUniquelyReferenced(&source), let upstream = source.role.upstream { pending += upstream.end() }
    }
}

/// Calls `body` with the observable behind a pointer of C, without counting references: the caller owns it
/// for the length of the call, except if a handler releases it, which the core survives.
@inline(__always)
func withObservable<Result>(
    _ pointer: OpaquePointer, function: StaticString = #function, _ body: (ObservableHandle) -> Result
) -> Result {
    check(pointer, .observable, function)
    return reference(pointer)._withUnsafeGuaranteedRef { body($0) }
}

/// The observable behind a pointer of C, counted.
func handle(_ observable: OpaquePointer, function: StaticString = #function) -> ObservableHandle {
    check(observable, .observable, function)
    return reference(observable).takeUnretainedValue()
}

/// Not checked.
@inline(__always)
func core(_ observable: OpaquePointer) -> Unmanaged<Core<CHandler>> { .fromOpaque(UnsafeRawPointer(observable)) }

@inline(__always)
private func reference(_ observable: OpaquePointer) -> Unmanaged<ObservableHandle> {
    .fromOpaque(core(observable)._withUnsafeGuaranteedRef { $0.client.unsafelyUnwrapped })
}

@_cdecl("swo_observable_retain")
public func swo_observable_retain(_ observable: OpaquePointer?) -> OpaquePointer? {
    guard let observable else { return nil }
    noteRetain(observable, .observable)
    _ = reference(observable).retain()
    return observable
}

@_cdecl("swo_observable_release")
public func swo_observable_release(_ observable: OpaquePointer?) {
    guard let observable else { return }
    noteRelease(observable, .observable)
    reference(observable).release()
}

/// What else C has a pointer at: the object itself.
protocol Handle: AnyObject {
    static var kind: HandleKind { get }
}

/// Calls `body` with the object behind a pointer of C, without counting references: the caller owns it
/// for the length of the call.
@inline(__always)
func withHandle<Object: Handle, Result>(
    _ pointer: OpaquePointer, _ type: Object.Type, function: StaticString = #function, _ body: (Object) -> Result
) -> Result {
    check(pointer, Object.kind, function)
    return Unmanaged<Object>.fromOpaque(UnsafeRawPointer(pointer))._withUnsafeGuaranteedRef { body($0) }
}

/// The handle as C holds it, with one ownership for the caller.
func export<Object: Handle>(_ object: Object, _ kind: StaticString) -> OpaquePointer {
    let pointer = OpaquePointer(Unmanaged.passRetained(object).toOpaque())
    noteMade(UnsafeRawPointer(pointer), Object.kind, UnsafeRawPointer(text(kind)))
    noteRetain(pointer, Object.kind, "new")
    return pointer
}

func retain<Object: Handle>(
    _ pointer: OpaquePointer?, _ type: Object.Type, function: StaticString = #function
) -> OpaquePointer? {
    guard let pointer else { return nil }
    noteRetain(pointer, Object.kind, function)
    _ = Unmanaged<Object>.fromOpaque(UnsafeRawPointer(pointer)).retain()
    return pointer
}

// Not inlined, or a debugger would not stop in the function that C calls.
@inline(never)
func release<Object: Handle>(_ pointer: OpaquePointer?, _ type: Object.Type, function: StaticString = #function) {
    guard let pointer else { return }
    noteRelease(pointer, Object.kind, function)
    Unmanaged<Object>.fromOpaque(UnsafeRawPointer(pointer)).release()
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
