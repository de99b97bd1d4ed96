// SPDX-License-Identifier: MIT

import CPlatform
import CSwiftObserver
import ObserverEngine

@_cdecl("swo_derived_new")
public func swo_derived_new(
    _ function: swo_deriving?, _ context: UnsafeMutableRawPointer?, _ destroy: swo_destroy?,
    _ out: UnsafeMutablePointer<OpaquePointer?>?
) -> swo_status {
    guard let function, let out, !platform_is_out_of_memory() else {
        destroy?(context)
        return function == nil || out == nil ? SWO_INVALID_ARGUMENT : SWO_NO_MEMORY
    }
    let core = Core<CHandler>(kind: text("derived"))
    let variable = DerivedVariable(core: core, rule: CRule(function: function, context: context, destroy: destroy))
    let handle = ObservableHandle(core, .derived(variable))
    variable.isOwned(by: handle)
    handle.followsObservations()
    out.pointee = handle.export()
    return SWO_OK
}

/// A function of C with its context.
struct CRule: DerivingRule {
    typealias Value = OwnedValue
    typealias Handler = CHandler

    let function: swo_deriving
    let context: UnsafeMutableRawPointer?
    let destroy: swo_destroy?

    func derive() -> Derivation<OwnedValue> {
        var made = swo_value()
        let status = function(context, &made)
        if status == SWO_OK, made.kind >= SWO_KIND_NULL, made.kind <= SWO_KIND_DOUBLE {
            return .value(OwnedValue(number: made))
        }
        return result(status, &made)
    }

    @inline(never)
    private func result(_ status: swo_status, _ made: inout swo_value) -> Derivation<OwnedValue> {
        if status == SWO_OK, checkValue(&made, updates: false) == SWO_OK, let value = taken(&made) {
            return .value(value)
        }
        if status != SWO_OK, made.kind == SWO_KIND_NULL, let failure = failureReadLast() { return .failure(failure) }
        let said = checkValue(&made, updates: false) == SWO_OK ? taken(&made) : nil
        return .failure(CFailure(said ?? OwnedValue()))
    }

    func isEqual(_ old: OwnedValue, _ new: OwnedValue) -> Bool { areEqualResults(old, new) }

    @inline(__always)
    func isEqualPlain(_ old: OwnedValue, _ new: OwnedValue) -> Bool? {
        let (old, new) = (old.borrowed, new.borrowed)
        guard old.kind <= SWO_KIND_DOUBLE, new.kind <= SWO_KIND_DOUBLE else { return nil }
        return areSameNumbers(old, new) || isNoNumber(old) && isNoNumber(new)
    }

    func makeMessage(_ old: OwnedValue, _ new: OwnedValue) -> StoredMessage { StoredMessage(old: old, new: new) }

    func author(of core: Core<CHandler>) -> UnsafeRawPointer? {
        UnsafeRawPointer(Unmanaged.passUnretained(core).toOpaque())
    }

    func end() { if let destroy { platform_end(destroy, context) } }
}

private func isNoNumber(_ value: swo_value) -> Bool {
    value.kind == SWO_KIND_DOUBLE && value.as.float64 != value.as.float64
}

/// What a derived variable holds.
@inline(__always)
func getDerived(
    _ handle: ObservableHandle, _ variable: Unmanaged<DerivedVariable<CRule>>, _ out: UnsafeMutablePointer<swo_value>
) -> swo_status {
    @inline(__always)
    func read(_ variable: DerivedVariable<CRule>) -> Bool {
        variable.read { isNumber($0.borrowed, copiedTo: out) ? true : nil } ?? false
    }
    return variable._withUnsafeGuaranteedRef(read) ? SWO_OK : getCopy(of: handle, variable, out)
}

@inline(never)
private func getCopy(
    of handle: ObservableHandle, _ variable: Unmanaged<DerivedVariable<CRule>>,
    _ out: UnsafeMutablePointer<swo_value>
) -> swo_status {
    // Counted, because its function may release it.
    let kept = Unmanaged.passRetained(handle)
    defer { kept.release() }
    switch variable._withUnsafeGuaranteedRef({ $0.get() }) {
    case .failure(let failure): return status(of: failure)
    case .value(let value):
        var copy = swo_value()
        guard withUnsafePointer(to: value.borrowed, { copyValue($0, &copy) }) else { return SWO_NO_MEMORY }
        out.pointee = copy
        return withExtendedLifetime(value) { SWO_OK }
    }
}

@_cdecl("swo_derived_failure")
public func swo_derived_failure(
    _ derived: OpaquePointer?, _ out: UnsafeMutablePointer<swo_value>?
) -> swo_status {
    guard let derived, let out else { return SWO_INVALID_ARGUMENT }
    // Counted, because its function may release it.
    let handle = handle(derived)
    guard case .derived(let variable) = handle.role else { return SWO_WRONG_KIND }
    guard case .failure(let failure) = variable.get() else { return SWO_NOT_FOUND }
    var copy = swo_value()
    if failure.isCircle {
        guard let circle = failure.circle else { return SWO_NO_MEMORY }
        var names = swo_text(circle)
        guard copyValue(&names, &copy) else { return SWO_NO_MEMORY }
    } else {
        let said = CFailure.known(failure).said
        guard withUnsafePointer(to: said.borrowed, { copyValue($0, &copy) }) else { return SWO_NO_MEMORY }
    }
    out.pointee = copy
    return withExtendedLifetime((handle, failure)) { SWO_OK }
}

/// What a function of C has said about its failure.
private final class CFailure: DerivedFailure {
    let said: OwnedValue

    init(_ said: OwnedValue) {
        self.said = said
        super.init()
    }

    /// Every failure without a circle is one.
    static func known(_ failure: DerivedFailure) -> CFailure {
        Unmanaged<CFailure>.fromOpaque(Unmanaged.passUnretained(failure).toOpaque()).takeUnretainedValue()
    }

    override func isSame(as other: DerivedFailure) -> Bool {
        if isSameObject(self, other) { return true }
        guard !other.isCircle else { return false }
        return areEqualResults(said, CFailure.known(other).said)
    }
}

private func isSameObject(_ one: DerivedFailure, _ other: DerivedFailure) -> Bool { isSame(one, other) }

/// What a copy owns is taken over, anything else copied.
private func taken(_ made: inout swo_value) -> OwnedValue? {
    made.owned != 0 ? OwnedValue(adopting: made) : OwnedValue(copying: &made)
}

/// The status of a getter that has found a failure.
func status(of failure: DerivedFailure) -> swo_status { failure.isCircle ? SWO_CYCLE : SWO_CALLBACK_FAILED }

/// As variables compare, but what is no number is equal to itself: or what depends on itself by way of effects would never
/// rest.
private func areEqualResults(_ one: OwnedValue, _ other: OwnedValue) -> Bool {
    let (old, new) = (one.borrowed, other.borrowed)
    if isNoNumber(old), isNoNumber(new) { return true }
    return withUnsafePointer(to: old) { old in withUnsafePointer(to: new) { equalValues(old, $0) } }
}
