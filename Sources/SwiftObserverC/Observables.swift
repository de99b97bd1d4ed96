// SPDX-License-Identifier: MIT

import CPlatform
import CSwiftObserver
import ObserverEngine

// What most sends find comes first, and what remains is done in a function with the same parameters: so a send that
// nothing hears saves no register, and takes no more than its tests.
@inline(__always)
@_cdecl("swo_send")
public func swo_send(
    _ observable: OpaquePointer?, _ message: UnsafePointer<swo_value>?, _ author: UnsafeRawPointer?
) -> swo_status {
    guard let observable, let message else { return SWO_INVALID_ARGUMENT }
    check(observable, .observable, #function)
    guard isNumber(message) else { return sendChecking(observable, message, author) }
    guard takesAnything(observable) else { return sendChoosing(observable, message, author) }
    return sendIfHeard(observable, message, author)
}

@inline(__always)
func sendIfHeard(
    _ observable: OpaquePointer, _ message: UnsafePointer<swo_value>, _ author: UnsafeRawPointer?
) -> swo_status {
    core(observable)._withUnsafeGuaranteedRef { $0.isUnheard } ? SWO_OK : send(observable, message, author)
}

/// A message of any kind: the kinds that point at something are checked.
@inline(never)
func sendChecking(
    _ observable: OpaquePointer, _ message: UnsafePointer<swo_value>, _ author: UnsafeRawPointer?
) -> swo_status {
    let status = checkValue(message)
    guard status == SWO_OK else { return status }
    guard takesAnything(observable) else { return sendChoosing(observable, message, author) }
    return sendIfHeard(observable, message, author)
}

/// A message for a variable, or for what is confined to a thread; or the next one after a loop was woken.
@inline(never)
func sendChoosing(
    _ observable: OpaquePointer, _ message: UnsafePointer<swo_value>, _ author: UnsafeRawPointer?,
    function: StaticString = "swo_send"
) -> swo_status {
    endIfCancelled()
    if takesAnything(observable) { return sendIfHeard(observable, message, author) }
    return withObservable(observable, function: function) { handle in
        if handle.role.isVariable, message.pointee.kind != SWO_KIND_UPDATE { return SWO_WRONG_KIND }
        if handle.isElsewhere { return handle.handOver(.send, message, author ?? UnsafeRawPointer(observable)) }
        return sendIfHeard(observable, message, author)
    }
}

@inline(never)
private func send(
    _ observable: OpaquePointer, _ message: UnsafePointer<swo_value>, _ author: UnsafeRawPointer?
) -> swo_status {
    @inline(__always)
    func send(_ core: Core<CHandler>) -> swo_status {
        let author = author ?? UnsafeRawPointer(observable)
        return SwiftObserverC.status(
            of: _slowPath(platform_has_graphs())
                ? core.sendBesideFunctions(message, author: author) : core.sendHeard(message, author: author))
    }
    return core(observable)._withUnsafeGuaranteedRef(send)
}

@_cdecl("swo_observable_set_ordered")
public func swo_observable_set_ordered(_ observable: OpaquePointer?, _ ordered: Bool) -> swo_status {
    guard let observable else { return SWO_INVALID_ARGUMENT }
    withCore(observable) { $0.maintainsMessageOrder = ordered }
    return SWO_OK
}

@_cdecl("swo_observable_set_budget")
public func swo_observable_set_budget(_ observable: OpaquePointer?, _ messages: Int) -> swo_status {
    guard let observable else { return SWO_INVALID_ARGUMENT }
    withCore(observable) { $0.setBudget(bounded(messages)) }
    return SWO_OK
}

@_cdecl("swo_observable_set_hooks")
public func swo_observable_set_hooks(_ observable: OpaquePointer?, _ hooks: UnsafePointer<swo_hooks>?) -> swo_status {
    guard let observable, hooks.map({ $0.pointee.size >= MemoryLayout<swo_hooks>.size }) ?? true else {
        return SWO_INVALID_ARGUMENT
    }
    let deliveryHooks = hooks.map { hooks in
        let hooks = hooks.pointee
        return DeliveryHooks(enter: { hooks.enter?(hooks.context) }, leave: { hooks.leave?(hooks.context) })
    }
    withCore(observable) { $0.deliveryHooks = deliveryHooks }
    return SWO_OK
}

@_cdecl("swo_observable_is_ordered")
public func swo_observable_is_ordered(_ observable: OpaquePointer?) -> Bool {
    guard let observable else { return false }
    return withCore(observable) { $0.maintainsMessageOrder }
}

@_cdecl("swo_observable_fail")
public func swo_observable_fail(_ observable: OpaquePointer?) {
    guard let observable else { return }
    checkDelivering(observable)
    // Only the core: inside a handler the observable may have been released.
    core(observable)._withUnsafeGuaranteedRef { $0.reportFailure() }
}
