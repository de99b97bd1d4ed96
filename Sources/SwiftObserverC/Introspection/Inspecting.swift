// SPDX-License-Identifier: MIT

import CPlatform
import CSwiftObserver
import ObserverEngine
import Synchronization

/// How long a text of a runtime is at most.
private let room = 256

/// Where that is what a runtime has named, in memory that stays; 0: nothing.
private let named = Atomic<UInt>(0)
/// After how many forks that was: in a child process the threads do not exist that ran its functions.
private let namedAfter = Atomic<UInt32>(0)
/// How many of its functions run.
private let running = Atomic<Int>(0)

@_cdecl("swo_set_inspection")
public func swo_set_inspection(_ inspection: UnsafePointer<swo_inspection>?) -> swo_status {
    guard let inspection else {
        let before = named.exchange(0, ordering: .sequentiallyConsistent)
        while running.load(ordering: .sequentiallyConsistent) != 0,
            namedAfter.load(ordering: .relaxed) == platform_forks()
        { platform_stand_by() }
        UnsafeMutablePointer<swo_inspection>(bitPattern: before)?.deallocate()
        return SWO_OK
    }
    guard inspection.pointee.size >= MemoryLayout<swo_inspection>.size, inspection.pointee.describe != nil,
        inspection.pointee.set != nil, inspection.pointee.name != nil, inspection.pointee.text != nil,
        inspection.pointee.read != nil
    else { return SWO_INVALID_ARGUMENT }
    let kept = UnsafeMutablePointer<swo_inspection>.allocate(capacity: 1)
    kept.initialize(to: inspection.pointee)
    namedAfter.store(platform_forks(), ordering: .relaxed)
    named.store(UInt(bitPattern: kept), ordering: .sequentiallyConsistent)
    return SWO_OK
}

/// Calls with what the runtime has named, and room for two texts that are empty.
private func withRuntime<Result>(
    _ body: (swo_inspection, UnsafeMutablePointer<CChar>, UnsafeMutablePointer<CChar>) -> Result
) -> Result? {
    guard named.load(ordering: .relaxed) != 0 else { return nil }
    running.add(1, ordering: .sequentiallyConsistent)
    defer { running.subtract(1, ordering: .sequentiallyConsistent) }
    let inspection = UnsafePointer<swo_inspection>(bitPattern: named.load(ordering: .sequentiallyConsistent))
    guard let inspection else { return nil }
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 2 * room) {
        $0.initialize(repeating: 0)
        return body(inspection.pointee, $0.baseAddress!, $0.baseAddress! + room)
    }
}

/// What stands between two texts of a runtime.
private let separator: Int32 = 31

private func copied(
    _ text: UnsafeMutablePointer<CChar>, room: Int = room
) -> UnsafeMutablePointer<CChar>? {
    text[room - 1] = 0
    return text[0] == 0 ? nil : strdup(text)
}

/// What a runtime says of an object, in memory of `malloc`.
func inspected(_ object: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<CChar>? {
    guard let object else { return nil }
    return withRuntime { inspection, text, _ in
        inspection.text!(object, text, room)
        return copied(text)
    } ?? nil
}

@_cdecl("observer_inspect_name")
public func observer_inspect_name(_ edge: UnsafeMutablePointer<platform_shown_edge>?) {
    guard let edge else { return }
    _ = withRuntime { inspection, text, _ in
        inspection.name!(edge.pointee.observation, text, room)
        text[room - 1] = 0
        if let between = strchr(text, separator) {
            between.pointee = 0
            edge.pointee.place = copied(between + 1, room: room - 1 - (between - text)).map { UnsafePointer($0) }
        }
        edge.pointee.name = copied(text).map { UnsafePointer($0) }
    }
}

/// Calls with each derived observable of a runtime, and each that it has read.
@_cdecl("observer_inspect_read")
public func observer_inspect_read(
    _ each: (@convention(c) (UnsafeMutableRawPointer?, OpaquePointer?, OpaquePointer?) -> Void)?,
    _ context: UnsafeMutableRawPointer?
) {
    guard let each else { return }
    // Of the same shape: only what may be null is said differently.
    _ = withRuntime { inspection, _, _ in inspection.read!(unsafeBitCast(each, to: Each.self), context) }
}

private typealias Each = @convention(c) (UnsafeMutableRawPointer?, OpaquePointer, OpaquePointer) -> Void

@_cdecl("observer_inspect_describe")
public func observer_inspect_describe(_ node: UnsafeMutablePointer<platform_shown_node>?, _ values: Bool) {
    guard let node, let address = node.pointee.core else { return }
    let isKnown = withRuntime { inspection, kind, value in
        node.pointee.is_settable = inspection.describe!(OpaquePointer(address), kind, value, room)
        guard let known = copied(kind) else { return false }
        node.pointee.kind = UnsafePointer(known)
        if values { node.pointee.value = copied(value).map { UnsafePointer($0) } }
        return true
    }
    if isKnown ?? false { return }
    guard let variable = variable(of: Unmanaged<AnyCore>.fromOpaque(address)) else { return }
    node.pointee.is_settable = true
    if values { node.pointee.value = CHandler.inWords(variable.get().borrowed).map { UnsafePointer($0) } }
}

/// The variable of a core, if any thread may read and set it.
private func variable(of core: Unmanaged<AnyCore>) -> Variable<OwnedValue, CHandler>? {
    core._withUnsafeGuaranteedRef { core in
        core.whileOpen {
            let client = core.client.load(ordering: .acquiring)
            guard client & Client.isVariable != 0, !Client.isCount(client) else { return nil }
            // The handle ends after the core is closed, and has the variable until then.
            let address = Client.handle(client)._withUnsafeGuaranteedRef { $0.variable }
            return Unmanaged<Variable<OwnedValue, CHandler>>.fromOpaque(
                UnsafeRawPointer(bitPattern: address).unsafelyUnwrapped
            ).takeUnretainedValue()
        }
    }
}

@_cdecl("observer_inspect_set")
public func observer_inspect_set(_ address: UnsafeRawPointer?, _ given: UnsafePointer<CChar>?) -> UnsafePointer<CChar>?
{
    guard let address, let given else { return nil }
    let problem = withRuntime { inspection, problem, _ -> UnsafePointer<CChar>?? in
        guard inspection.set!(OpaquePointer(address), given, problem, room) else { return nil }
        return .some(problem[0] == 0 ? nil : text("the program does not take it"))
    }
    if let known = problem, let known { return known }
    return withObserved(address) { core in
        guard let variable = variable(of: .passUnretained(core)) else { return text("this cannot be set") }
        guard let new = value(given, like: variable.get().borrowed) else { return text("it holds no such value") }
        switch variable.set(new, author: address) {
        case .sent, .handlerFailed: return nil
        default: return text("the program does not take it")
        }
    } ?? text("nothing observes it any more")
}

/// What a text says, where a variable holds something of that kind.
private func value(_ given: UnsafePointer<CChar>, like present: swo_value) -> OwnedValue? {
    var made = swo_value(), integer: Int64 = 0, number = 0.0
    switch present.kind {
    case SWO_KIND_BOOL:
        let isTrue = strcmp(given, text("true")) == 0
        guard isTrue || strcmp(given, text("false")) == 0 else { return nil }
        made = swo_bool(isTrue)
    case SWO_KIND_INT64:
        guard platform_read_int(given, &integer) else { return nil }
        made = swo_int64(integer)
    case SWO_KIND_DOUBLE:
        guard platform_read_double(given, &number) else { return nil }
        made = swo_double(number)
    case SWO_KIND_TEXT: made = swo_text(given)
    default: return nil
    }
    return OwnedValue(copying: &made)
}
