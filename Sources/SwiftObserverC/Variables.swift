// SPDX-License-Identifier: MIT

import CPlatform
import CSwiftObserver
import ObserverEngine

@_cdecl("swo_variable_new")
public func swo_variable_new(
    _ initial: UnsafePointer<swo_value>?, _ out: UnsafeMutablePointer<OpaquePointer?>?
) -> swo_status {
    make(initial, out) { value in
        let variable = Variable<OwnedValue, CHandler>(
            core: Core(kind: text("variable")), value: value, isEqual: areEqual,
            makeMessage: { StoredMessage(old: $0, new: $1) })
        return ObservableHandle(variable.core, .variable(variable))
    }
}

@_cdecl("swo_deferred_variable_new")
public func swo_deferred_variable_new(
    _ initial: UnsafePointer<swo_value>?, _ out: UnsafeMutablePointer<OpaquePointer?>?
) -> swo_status {
    make(initial, out) { value in
        let variable = DeferredVariable<OwnedValue, CHandler>(
            core: Core(kind: text("variable")), value: value, isEqual: areEqual,
            makeMessage: { StoredMessage(old: $0, new: $1) })
        return ObservableHandle(variable.core, .deferred(variable))
    }
}

private func make(
    _ initial: UnsafePointer<swo_value>?, _ out: UnsafeMutablePointer<OpaquePointer?>?,
    _ handle: (OwnedValue) -> ObservableHandle
) -> swo_status {
    guard let out else { return SWO_INVALID_ARGUMENT }
    if platform_is_out_of_memory() { return SWO_NO_MEMORY }
    var null = swo_value()
    let (value, status) = withUnsafePointer(to: &null) { owned(initial ?? $0) }
    guard let value else { return status }
    out.pointee = handle(value).export()
    return SWO_OK
}

@inline(__always)
func isNumber(_ value: swo_value, copiedTo out: UnsafeMutablePointer<swo_value>) -> Bool {
    guard value.kind <= SWO_KIND_DOUBLE else { return false }
    out.pointee = value
    return true
}

/// Whether both are equal and no more than numbers.
@inline(__always)
func areSameNumbers(_ one: swo_value, _ other: swo_value) -> Bool {
    guard one.kind == other.kind else { return false }
    switch one.kind {
    case SWO_KIND_BOOL: return one.as.boolean == other.as.boolean
    case SWO_KIND_INT64: return one.as.int64 == other.as.int64
    case SWO_KIND_DOUBLE: return one.as.float64 == other.as.float64
    default: return one.kind == SWO_KIND_NULL
    }
}

private func areEqual(_ old: OwnedValue, _ new: OwnedValue) -> Bool {
    withUnsafePointer(to: old.borrowed) { old in withUnsafePointer(to: new.borrowed) { equalValues(old, $0) } }
}

@_cdecl("swo_variable_get")
public func swo_variable_get(_ variable: OpaquePointer?, _ out: UnsafeMutablePointer<swo_value>?) -> swo_status {
    guard let variable, let out else { return SWO_INVALID_ARGUMENT }
    check(variable, .observable, #function)
    @inline(__always)
    func read(_ plain: Variable<OwnedValue, CHandler>) -> Bool { plain.readNumber(out) }
    // A thread that has been cancelled does not end here: a function that reads may be in the middle of a turn.
    guard let plain = uncountedVariable(variable, mark: Client.isVariable) else { return getCopy(variable, out) }
    // Not a copy of what it holds, where that is a number.
    if plain._withUnsafeGuaranteedRef(read) { return SWO_OK }
    return platform_has_graphs() && getInGraph(plain, out) ? SWO_OK : getCopy(ofPlain: variable, out)
}

/// Not given the variable itself: to keep that at hand costs those who read a number more than it costs here to find it.
@inline(never)
private func getCopy(ofPlain variable: OpaquePointer, _ out: UnsafeMutablePointer<swo_value>) -> swo_status {
    guard let plain = uncountedVariable(variable, mark: Client.isVariable) else { return getCopy(variable, out) }
    return copy(plain._withUnsafeGuaranteedRef { $0.get() }, out)
}

@inline(__always)
private func copy(_ value: OwnedValue, _ out: UnsafeMutablePointer<swo_value>) -> swo_status {
    var copy = swo_value()
    guard withUnsafePointer(to: value.borrowed, { copyValue($0, &copy) }) else { return SWO_NO_MEMORY }
    out.pointee = copy
    return withExtendedLifetime(value) { SWO_OK }
}

/// The number that a variable holds which functions read.
@inline(never)
private func getInGraph(
    _ variable: Unmanaged<Variable<OwnedValue, CHandler>>, _ out: UnsafeMutablePointer<swo_value>
) -> Bool {
    variable._withUnsafeGuaranteedRef { variable in
        variable.readInGraph { isNumber($0.borrowed, copiedTo: out) ? true : nil } ?? false
    }
}

@inline(never)
private func getCopy(_ variable: OpaquePointer, _ out: UnsafeMutablePointer<swo_value>) -> swo_status {
    guard let handle = presentObservable(variable) else { return SWO_WRONG_KIND }
    if let derived = handle._withUnsafeGuaranteedRef({ $0.uncountedDerived }) {
        return handle._withUnsafeGuaranteedRef { getDerived($0, derived, out) }
    }
    return handle._withUnsafeGuaranteedRef { handle in
        guard let value = handle.role.value else { return SWO_WRONG_KIND }
        return copy(value, out)
    }
}

extension Variable<OwnedValue, CHandler> {
    /// Reads a number, where nothing is in the way.
    @inline(__always)
    fileprivate func readNumber(_ out: UnsafeMutablePointer<swo_value>) -> Bool {
        readBiased { isNumber($0.borrowed, copiedTo: out) } ?? false
    }

    /// Sets a number in place of a number, where nothing is in the way: then nothing is counted, allocated or copied.
    @inline(__always)
    fileprivate func setNumber(_ new: swo_value, _ author: UnsafeRawPointer) -> Outcome? {
        var update = swo_update(old_value: swo_value(), new_value: new)
        update.new_value.owned = 0
        return changeBiased(author: author) { held -> Bool? in
            guard held.borrowed.kind <= SWO_KIND_DOUBLE else { return nil }
            if areSameNumbers(held.borrowed, update.new_value) { return false }
            update.old_value = held.borrowed
            held.replaceNumber(with: update.new_value)
            return true
        } _: { offer in
            withUnsafePointer(to: update) { update in withUnsafePointer(to: swo_update_value(update)) { offer($0) } }
        }
    }
}

// Not inlined where the layer itself sets one: a debugger would stop there as well.
@inline(never)
@_cdecl("swo_variable_set")
public func swo_variable_set(
    _ variable: OpaquePointer?, _ value: UnsafePointer<swo_value>?, _ author: UnsafeRawPointer?
) -> swo_status {
    guard let variable, let value else { return SWO_INVALID_ARGUMENT }
    check(variable, .observable, #function)
    let author = author ?? UnsafeRawPointer(variable)
    @inline(__always)
    func set(_ plain: Variable<OwnedValue, CHandler>) -> Outcome? { plain.setNumber(value.pointee, author) }
    guard let plain = uncountedVariable(variable, mark: UInt(platform_passes.variables)) else {
        return setChoosing(variable, value, author)
    }
    if isNumber(value), let outcome = plain._withUnsafeGuaranteedRef(set) { return status(of: outcome) }
    return value.pointee.kind == SWO_KIND_OBJECT
        ? setObject(plain, value, author) : setCopy(plain, value, author)
}

@inline(never)
private func setCopy(
    _ variable: Unmanaged<Variable<OwnedValue, CHandler>>, _ value: UnsafePointer<swo_value>,
    _ author: UnsafeRawPointer
) -> swo_status {
    let (new, status) = owned(value)
    guard let new else { return status }
    return SwiftObserverC.status(of: variable._withUnsafeGuaranteedRef { $0.set(new, author: author) })
}

/// To copy and to compare it are callbacks, which may release the variable: so that is counted; in a transaction, which
/// keeps its observable, that.
@inline(never)
private func setObject(
    _ variable: Unmanaged<Variable<OwnedValue, CHandler>>, _ value: UnsafePointer<swo_value>,
    _ author: UnsafeRawPointer
) -> swo_status {
    let kept = variable.retain()
    let handle = Transactions.isOpen ? kept._withUnsafeGuaranteedRef { Client.handle(of: $0.core) } : 0
    if handle != 0 { _ = Client.handle(handle).retain() }
    defer {
        kept.release()
        if handle != 0 { Client.handle(handle).release() }
    }
    return setCopy(kept, value, author)
}

/// A value for a variable that assigns in its turn, or is confined to a thread; or the next one after a loop was woken.
@inline(never)
private func setChoosing(
    _ variable: OpaquePointer, _ value: UnsafePointer<swo_value>, _ author: UnsafeRawPointer
) -> swo_status {
    guard platform_passes.sends != 0 else { return setAgain(variable, value, author) }
    guard let handle = presentObservable(variable) else { return SWO_WRONG_KIND }
    return handle._withUnsafeGuaranteedRef { handle in
        guard handle.role.isSettable else { return SWO_WRONG_KIND }
        if handle.isElsewhere {
            let status = checkValue(value, updates: false)
            if status != SWO_OK { return status }
            if isComputing { return SWO_COMPUTING }
            // It would change in a turn of its own, which an abort could not take back (law 33).
            return Transactions.isOpen ? SWO_WRONG_THREAD : handle.handOver(.set, value, author)
        }
        switch handle.role {
        case .variable(let variable): return setObject(.passUnretained(variable), value, author)
        case .deferred(let deferred):
            // Counted, because a callback may release it.
            let kept = Unmanaged.passRetained(deferred)
            defer { kept.release() }
            let (new, status) = owned(value)
            guard let new else { return status }
            return SwiftObserverC.status(of: deferred.set(new, author: author))
        case .messenger, .derived, .transform: return SWO_WRONG_KIND
        }
    }
}

@inline(never)
private func setAgain(
    _ variable: OpaquePointer, _ value: UnsafePointer<swo_value>, _ author: UnsafeRawPointer
) -> swo_status {
    endIfCancelled()
    return swo_variable_set(variable, value, author)
}

@_cdecl("swo_variable_update")
public func swo_variable_update(
    _ observable: OpaquePointer?, _ updater: swo_updater?, _ context: UnsafeMutableRawPointer?,
    _ author: UnsafeRawPointer?
) -> swo_status {
    guard let observable, let updater else { return SWO_INVALID_ARGUMENT }
    endIfCancelled()
    return withObservable(observable) { handle in
        guard case .variable(let variable) = handle.role else { return SWO_WRONG_KIND }
        guard !handle.isElsewhere else { return SWO_WRONG_THREAD }
        var status = SWO_OK
        let outcome = variable.update(author: author ?? UnsafeRawPointer(observable)) { old -> OwnedValue? in
            var made = swo_value()
            status = withUnsafePointer(to: old.borrowed) { updater(context, $0, &made) }
            guard status == SWO_OK else { return nil }
            guard checkValue(&made, updates: false) == SWO_OK else {
                status = SWO_CALLBACK_FAILED
                return nil
            }
            let new = OwnedValue(copying: &made)
            if new == nil { status = SWO_NO_MEMORY }
            return new
        }
        return outcome.map { SwiftObserverC.status(of: $0) } ?? status
    }
}

/// Checks and copies what a variable is to hold.
@inline(__always)
private func owned(_ value: UnsafePointer<swo_value>) -> (OwnedValue?, swo_status) {
    let status = checkValue(value, updates: false)
    guard status == SWO_OK else { return (nil, status) }
    return (OwnedValue(copying: value), SWO_NO_MEMORY)
}
