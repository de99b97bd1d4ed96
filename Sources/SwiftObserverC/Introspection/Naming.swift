// SPDX-License-Identifier: MIT

import CPlatform
import CSwiftObserver
import ObserverEngine

@_cdecl("swo_observable_set_name")
public func swo_observable_set_name(_ observable: OpaquePointer?, _ name: UnsafePointer<CChar>?) -> swo_status {
    guard let observable else { return SWO_INVALID_ARGUMENT }
    var copy: UnsafeMutablePointer<CChar>?
    if let name {
        guard isUTF8(UnsafeRawBufferPointer(start: name, count: strlen(name))) else { return SWO_INVALID_TEXT }
        copy = strdup(name)
        guard copy != nil else { return SWO_NO_MEMORY }
    }
    withCore(observable) { $0.setName(copy) }
    return SWO_OK
}

@_cdecl("swo_observable_name")
public func swo_observable_name(_ observable: OpaquePointer?, _ out: UnsafeMutablePointer<swo_value>?) -> swo_status {
    guard let observable, let out else { return SWO_INVALID_ARGUMENT }
    let name = withCore(observable) { $0.copyName() }
    var value = swo_value()
    if let name {
        value = swo_text(name)
        value.owned = 1
    }
    out.pointee = value
    return SWO_OK
}
