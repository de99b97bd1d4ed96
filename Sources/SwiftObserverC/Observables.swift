// SPDX-License-Identifier: MIT

import CSwiftObserver
import ObserverEngine

@_cdecl("swo_messenger_new")
public func swo_messenger_new() -> OpaquePointer {
    ObservableHandle(core: Core()).export()
}

@_cdecl("swo_observable_retain")
public func swo_observable_retain(_ observable: OpaquePointer?) -> OpaquePointer? {
    retain(observable, ObservableHandle.self)
}

@_cdecl("swo_observable_release")
public func swo_observable_release(_ observable: OpaquePointer?) {
    release(observable, ObservableHandle.self)
}

@_cdecl("swo_send")
public func swo_send(
    _ observable: OpaquePointer?, _ message: UnsafePointer<swo_value>?, _ author: UnsafeRawPointer?
) -> swo_status {
    guard let observable, let message else { return SWO_INVALID_ARGUMENT }
    let status = checkValue(message)
    guard status == SWO_OK else { return status }
    return withHandle(observable, ObservableHandle.self) { handle in
        if handle.variable != nil, message.pointee.kind != SWO_KIND_UPDATE { return SWO_WRONG_KIND }
        return handle.send(message, author: author ?? UnsafeRawPointer(observable))
    }
}

@_cdecl("swo_observable_set_ordered")
public func swo_observable_set_ordered(_ observable: OpaquePointer?, _ ordered: Bool) -> swo_status {
    guard let observable else { return SWO_INVALID_ARGUMENT }
    withHandle(observable, ObservableHandle.self) { $0.core.maintainsMessageOrder = ordered }
    return SWO_OK
}

@_cdecl("swo_observable_set_hooks")
public func swo_observable_set_hooks(_ observable: OpaquePointer?, _ hooks: UnsafePointer<swo_hooks>?) -> swo_status {
    guard let observable, hooks.map({ $0.pointee.size >= MemoryLayout<swo_hooks>.size }) ?? true else {
        return SWO_INVALID_ARGUMENT
    }
    let surroundings = hooks.map { hooks in
        let hooks = hooks.pointee
        return Surroundings(enter: { hooks.enter?(hooks.context) }, leave: { hooks.leave?(hooks.context) })
    }
    withHandle(observable, ObservableHandle.self) { $0.core.surroundings = surroundings }
    return SWO_OK
}

@_cdecl("swo_observable_is_ordered")
public func swo_observable_is_ordered(_ observable: OpaquePointer?) -> Bool {
    guard let observable else { return false }
    return withHandle(observable, ObservableHandle.self) { $0.core.maintainsMessageOrder }
}
