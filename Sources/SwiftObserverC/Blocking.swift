// SPDX-License-Identifier: MIT

import CSwiftObserver
import ObserverEngine

@_cdecl("swo_observable_block")
public func swo_observable_block(_ observable: OpaquePointer?) -> swo_status {
    guard let observable else { return SWO_INVALID_ARGUMENT }
    withCore(observable) { $0.block() }
    return SWO_OK
}

@_cdecl("swo_observable_unblock")
public func swo_observable_unblock(_ observable: OpaquePointer?) -> swo_status {
    guard let observable else { return SWO_INVALID_ARGUMENT }
    return withCore(observable) { $0.unblock() } ? SWO_OK : SWO_NOT_FOUND
}

@_cdecl("swo_observable_is_blocked")
public func swo_observable_is_blocked(_ observable: OpaquePointer?) -> Bool {
    guard let observable else { return false }
    return withCore(observable) { $0.isBlocked }
}

@_cdecl("swo_block")
public func swo_block(_ observation: swo_observation) -> swo_status {
    let id = ObservationID(rawValue: observation)
    if id.block() { return SWO_OK }
    return id.isLiving ? SWO_INVALID_ARGUMENT : SWO_NOT_FOUND
}

@_cdecl("swo_unblock")
public func swo_unblock(_ observation: swo_observation) -> swo_status {
    ObservationID(rawValue: observation).unblock() ? SWO_OK : SWO_NOT_FOUND
}

@_cdecl("swo_is_blocked")
public func swo_is_blocked(_ observation: swo_observation) -> Bool {
    ObservationID(rawValue: observation).isBlocked
}
