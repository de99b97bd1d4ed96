// SPDX-License-Identifier: MIT

import CPlatform
import CSwiftObserver
import ObserverEngine

@_cdecl("swo_observe")
public func swo_observe(
    _ observable: OpaquePointer?, _ observer: OpaquePointer?, _ handler: swo_handler?,
    _ context: UnsafeMutableRawPointer?, _ destroy: swo_destroy?, _ out: UnsafeMutablePointer<swo_observation>?
) -> swo_status {
    guard let observable, let handler else {
        destroy?(context)
        return SWO_INVALID_ARGUMENT
    }
    if platform_is_out_of_memory() {
        destroy?(context)
        return SWO_NO_MEMORY
    }
    return withCore(observable) { core in
        let id = core.observe(CHandler(function: handler, context: context), destroy: destroy)
        if let observer { withHandle(observer, Keeper.self) { $0.keep(id) } }
        out?.pointee = id.rawValue
        isObservedAgain(observable)
        return SWO_OK
    }
}

@_cdecl("swo_stop")
public func swo_stop(_ observation: swo_observation) -> swo_status {
    ObservationID(rawValue: observation).stop() ? SWO_OK : SWO_NOT_FOUND
}

@_cdecl("swo_stop_and_wait")
public func swo_stop_and_wait(_ observation: swo_observation) -> swo_status {
    ObservationID(rawValue: observation).stopAndWait() ? SWO_OK : SWO_NOT_FOUND
}

@_cdecl("swo_is_called_here")
public func swo_is_called_here(_ observation: swo_observation) -> Bool {
    ObservationID(rawValue: observation).isCalledHere
}

@_cdecl("swo_is_living")
public func swo_is_living(_ observation: swo_observation) -> Bool {
    ObservationID(rawValue: observation).isLiving
}
