// SPDX-License-Identifier: MIT

import CSwiftObserver
import ObserverEngine

// A `swo_observer *` points at the engine's keeper: that is all an observer is in C.

extension Keeper: Handle {
    static var kind: HandleKind { .observer }
}

@_cdecl("swo_observer_new")
public func swo_observer_new() -> OpaquePointer {
    export(Keeper(), "observer")
}

@_cdecl("swo_observer_retain")
public func swo_observer_retain(_ observer: OpaquePointer?) -> OpaquePointer? {
    retain(observer, Keeper.self)
}

@_cdecl("swo_observer_release")
public func swo_observer_release(_ observer: OpaquePointer?) {
    release(observer, Keeper.self)
}

@_cdecl("swo_observer_stop")
public func swo_observer_stop(_ observer: OpaquePointer?, _ observable: OpaquePointer?) -> swo_status {
    guard let observer else { return SWO_INVALID_ARGUMENT }
    let stopped = withHandle(observer, Keeper.self) { keeper in
        guard let observable else { return keeper.stopAll() }
        return withCore(observable) { keeper.stop($0) }
    }
    return stopped ? SWO_OK : SWO_NOT_FOUND
}

@_cdecl("swo_observer_stop_and_wait")
public func swo_observer_stop_and_wait(_ observer: OpaquePointer?) -> swo_status {
    guard let observer else { return SWO_INVALID_ARGUMENT }
    return withHandle(observer, Keeper.self) { $0.stopAllAndWait() } ? SWO_OK : SWO_NOT_FOUND
}

@_cdecl("swo_observer_is_observing")
public func swo_observer_is_observing(_ observer: OpaquePointer?, _ observable: OpaquePointer?) -> Bool {
    guard let observer, let observable else { return false }
    return withHandle(observer, Keeper.self) { keeper in
        withCore(observable) { keeper.isObserving($0) }
    }
}
