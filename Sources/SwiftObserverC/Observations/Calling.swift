// SPDX-License-Identifier: MIT

import CSwiftObserver
import ObserverEngine

@_cdecl("swo_call_send")
public func swo_call_send(_ caller: UnsafePointer<swo_caller>?, _ object: UnsafeMutableRawPointer?)
    -> UnsafeMutableRawPointer?
{
    guard let caller, let call = caller.pointee.call, call.pointee.size >= MemoryLayout<swo_call>.size,
        let type = call.pointee.type, type.pointee.size >= MemoryLayout<swo_object_type>.size
    else { return nil }
    let progress = call.pointee.progress
    progress?.pointee += 1
    let status = send(object, type, to: call.pointee.observable)
    progress?.pointee -= 1
    if status != SWO_OK { call.pointee.status = status }
    let answer = status == SWO_OK ? call.pointee.success : call.pointee.failure
    type.pointee.retain?(answer)
    return answer
}

@inline(__always)
private func send(
    _ object: UnsafeMutableRawPointer?, _ type: UnsafePointer<swo_object_type>, to observable: OpaquePointer?
) -> swo_status {
    guard let observable else { return SWO_INVALID_ARGUMENT }
    var message = swo_value()
    message.kind = SWO_KIND_OBJECT
    message.as.object.pointer = object
    message.as.object.type = type
    check(observable, .observable, "swo_call_send")
    guard takesAnything(observable) else {
        return sendChoosing(observable, &message, nil, function: "swo_call_send")
    }
    return sendIfHeard(observable, &message, nil)
}
