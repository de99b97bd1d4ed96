// SPDX-License-Identifier: MIT

import CPlatform
import CSwiftObserver
import ObserverEngine
import Synchronization

/// An observable as C owns it. This file is where pointers of C become objects, and back.
///
/// A `swo_observable *` points at the core, which outlives this until the delivery in progress is over: so an author
/// names one observable as long as its messages are under way. A messenger has this only once it needs it (`Client`).
final class ObservableHandle {
    let core: Core<CHandler>
    let role: Role
    /// The variable or derived variable that this is, if it is one, for those who do not count it.
    let variable: UInt
    /// Points at what is done on demand, once there has been anything. Owned.
    let demanded = Atomic<UnsafeMutableRawPointer?>(nil)
    /// Points at the thread that this is confined to. Owned.
    private let home = Atomic<UnsafeMutableRawPointer?>(nil)

    init(_ core: Core<CHandler>, _ role: Role = .messenger) {
        // First: reading what has been stored would count references.
        switch role {
        case .variable(let itself): variable = UInt(bitPattern: Unmanaged.passUnretained(itself).toOpaque())
        case .derived(let itself): variable = UInt(bitPattern: Unmanaged.passUnretained(itself).toOpaque())
        case .messenger, .deferred, .transform: variable = 0
        }
        self.core = core
        self.role = role
    }

    deinit {
        // Another thread was faster to make that of a messenger.
        guard Unmanaged.passUnretained(core)._withUnsafeGuaranteedRef({ Client.handle(of: $0) }) == address else {
            return
        }
        #if compiler(<6.1) && hasFeature(Embedded)
            // There, what counts this while messages are delivered would end it a second time.
            UnsafeMutablePointer<Int>(bitPattern: address).unsafelyUnwrapped[1] = Int.max / 2
        #endif
        noteDied(core)
        var sources = role.upstream?.end()
        if isConfined {
            endConfinement()
        } else {
            // Not counted for that.
            Unmanaged.passUnretained(core)._withUnsafeGuaranteedRef { $0.close() }
        }
        if hasDemanded { endDemanded() }
        if sources != nil { letGo(&sources!) }
    }

    private var isConfined: Bool { home.load(ordering: .acquiring) != nil }

    @inline(never)
    private func endConfinement() {
        guard let home = home.load(ordering: .acquiring) else { return }
        closeAtHome(core, Unmanaged<Home>.fromOpaque(home).takeRetainedValue())
    }

    /// Where this is confined to, if anywhere.
    var confinement: Home? {
        home.load(ordering: .acquiring).map { Unmanaged<Home>.fromOpaque($0).takeUnretainedValue() }
    }

    /// - Returns: False if it is confined already.
    func confine(to new: Home) -> Bool {
        guard core.confine(to: new.thread) else { return false }
        home.store(Unmanaged.passRetained(new).toOpaque(), ordering: .releasing)
        core.client.bitwiseAnd(~Client.marks, ordering: .acquiringAndReleasing)
        return true
    }

    /// What a memory is told with is no observation of a user's.
    var hiddenObservations: Int { role.upstream?.memory == nil ? 0 : 1 }

    /// The derived variable that this is, not to be counted.
    @inline(__always)
    var uncountedDerived: Unmanaged<DerivedVariable<CRule>>? {
        guard case .derived = role else { return nil }
        return .fromOpaque(UnsafeRawPointer(bitPattern: variable).unsafelyUnwrapped)
    }

    /// The pointer that C has.
    var pointer: UnsafeMutableRawPointer { Unmanaged.passUnretained(core).toOpaque() }

    var address: UInt { UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque()) }

    /// The handle as C holds it, with one ownership for the caller.
    consuming func export() -> OpaquePointer {
        core.client.store(address | Client.mark(of: role), ordering: .relaxed)
        _ = Unmanaged.passRetained(self)
        return noteNew(core)
    }
}

/// What an observable is.
enum Role {
    case messenger
    case variable(Variable<OwnedValue, CHandler>)
    case deferred(DeferredVariable<OwnedValue, CHandler>)
    case derived(DerivedVariable<CRule>)
    case transform(Upstream)

    var isVariable: Bool {
        switch self {
        case .variable, .deferred, .derived: return true
        case .messenger, .transform: return false
        }
    }

    /// Whether it is a variable that has no function.
    var isSettable: Bool {
        if case .derived = self { return false }
        return isVariable
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

/// Releases the sources of a transform that dies, and theirs: one after the other, because a chain may be long.
@inline(never)
private func letGo(_ pending: inout [ObservableHandle]) {
    while var source = pending.popLast() {
        if isKnownUniquelyReferenced(&source), let upstream = source.role.upstream { pending += upstream.end() }
    }
}

/// Calls `body` with the core of the observable behind a pointer of C, without counting references.
@inline(__always)
func withCore<Result>(
    _ pointer: OpaquePointer, function: StaticString = #function, _ body: (Core<CHandler>) -> Result
) -> Result {
    check(pointer, .observable, function)
    return core(pointer)._withUnsafeGuaranteedRef { body($0) }
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
    core(observable)._withUnsafeGuaranteedRef {
        let client = $0.client.load(ordering: .acquiring)
        return Client.isCount(client) ? Client.makeHandle(of: $0) : Client.handle(client)
    }
}

/// The observable behind a pointer of C, unless it is a messenger that is known by its core alone: then nothing but
/// sending and observing has been done with it.
@inline(__always)
func presentObservable(_ observable: OpaquePointer) -> Unmanaged<ObservableHandle>? {
    let client = client(observable)
    return Client.isCount(client) ? nil : Client.handle(client)
}

@inline(__always)
private func client(_ observable: OpaquePointer) -> UInt {
    core(observable)._withUnsafeGuaranteedRef { $0.client.load(ordering: .acquiring) }
}

/// Ends this thread here, where it has begun nothing yet, if it has been cancelled and a loop has been woken since the last
/// such call.
@inline(__always)
func endIfCancelled() {
    if _slowPath(platform_passes.sends == 0) { platform_come_by() }
}

/// Whether any message can be sent to an observable, on any thread, and nothing is to be looked at before.
@inline(__always)
func takesAnything(_ observable: OpaquePointer) -> Bool {
    client(observable) & UInt(platform_passes.sends) != 0
}

/// The variable that an observable is, not to be counted where that would cost more than the rest. `nil` where it is
/// confined.
///
/// - Parameter mark: what has to be there.
@inline(__always)
func uncountedVariable(_ observable: OpaquePointer, mark: UInt) -> Unmanaged<Variable<OwnedValue, CHandler>>? {
    let client = client(observable)
    guard client & mark != 0 else { return nil }
    // Not Client.handle(): here it is known which mark there is.
    let handle = Unmanaged<ObservableHandle>.fromOpaque(
        UnsafeRawPointer(bitPattern: client &- Client.isVariable).unsafelyUnwrapped)
    return handle._withUnsafeGuaranteedRef {
        .fromOpaque(UnsafeRawPointer(bitPattern: $0.variable).unsafelyUnwrapped)
    }
}

@_cdecl("swo_messenger_new")
public func swo_messenger_new() -> OpaquePointer {
    let core = Core<CHandler>(kind: text("messenger"))
    core.client.store(Client.oneOwner, ordering: .relaxed)
    _ = Unmanaged.passRetained(core)
    return noteNew(core)
}

@_cdecl("swo_observable_retain")
public func swo_observable_retain(_ observable: OpaquePointer?) -> OpaquePointer? {
    guard let observable else { return nil }
    noteRetain(observable, .observable)
    let before = core(observable)._withUnsafeGuaranteedRef { Client.change($0) { $0 &+ Client.owner } }
    if before == nil { _ = reference(observable).retain() }
    return observable
}

@_cdecl("swo_observable_release")
public func swo_observable_release(_ observable: OpaquePointer?) {
    guard let observable else { return }
    noteRelease(observable, .observable)
    let core = core(observable)
    guard let before = core._withUnsafeGuaranteedRef({ Client.change($0) { $0 &- Client.owner } }) else {
        return reference(observable).release()
    }
    guard before == Client.oneOwner else { return }
    core._withUnsafeGuaranteedRef {
        noteDied($0)
        $0.close()
    }
    core.release()
}

/// Notes an observable that C is given, and its first owner.
private func noteNew(_ core: Core<CHandler>) -> OpaquePointer {
    let pointer = OpaquePointer(Unmanaged.passUnretained(core).toOpaque())
    noteMade(UnsafeRawPointer(pointer), .observable, core.kind)
    noteRetain(pointer, .observable, "new")
    return pointer
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

    deinit { if let destroy { platform_end(destroy, pointer) } }
}
