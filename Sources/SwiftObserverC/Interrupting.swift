// SPDX-License-Identifier: MIT

import CSwiftObserver
import ObserverEngine

@_cdecl("swo_observable_interrupt")
public func swo_observable_interrupt(_ observable: OpaquePointer?) {
    guard let observable else { return }
    checkDelivering(observable)
    // Only the core: inside a handler the observable may have been released.
    core(observable)._withUnsafeGuaranteedRef { $0.interrupt() }
}

@_cdecl("swo_send_later")
public func swo_send_later(
    _ observable: OpaquePointer?, _ message: UnsafePointer<swo_value>?, _ author: UnsafeRawPointer?
) -> swo_status {
    guard let observable, let message else { return SWO_INVALID_ARGUMENT }
    let status = checkValue(message)
    guard status == SWO_OK else { return status }
    return withObservable(observable) { handle in
        if message.pointee.kind != SWO_KIND_UPDATE, !takesAnything(observable), handle.role.isVariable {
            return SWO_WRONG_KIND
        }
        let author = author ?? UnsafeRawPointer(observable)
        if handle.isElsewhere { return handle.handOver(.send, message, author) }
        return SwiftObserverC.status(of: handle.core.sendWithoutDraining(message, author: author))
    }
}
