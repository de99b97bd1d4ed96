// SPDX-License-Identifier: MIT

import CSwiftObserver
import ObserverEngine

@_cdecl("swo_observable_interrupt")
public func swo_observable_interrupt(_ observable: OpaquePointer?) {
    // Only the core: inside a handler the observable may have been released.
    if let observable { core(observable)._withUnsafeGuaranteedRef { $0.interrupt() } }
}

@_cdecl("swo_send_later")
public func swo_send_later(
    _ observable: OpaquePointer?, _ message: UnsafePointer<swo_value>?, _ author: UnsafeRawPointer?
) -> swo_status {
    guard let observable, let message else { return SWO_INVALID_ARGUMENT }
    let status = checkValue(message)
    guard status == SWO_OK else { return status }
    if message.pointee.kind != SWO_KIND_UPDATE, withObservable(observable, { $0.isVariable }) { return SWO_WRONG_KIND }
    return SwiftObserverC.status(
        of: core(observable)._withUnsafeGuaranteedRef {
            $0.sendLater(message, author: author ?? UnsafeRawPointer(observable))
        })
}
