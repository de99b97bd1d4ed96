// SPDX-License-Identifier: MIT

import CPlatform
import CSwiftObserver
import ObserverEngine

@_cdecl("swo_why_start")
public func swo_why_start(_ options: UnsafePointer<swo_trace_options>?) -> swo_status {
    guard areValid(options) else { return SWO_INVALID_ARGUMENT }
    Tracing.begin(PLATFORM_ANSWERS, values: options?.pointee.values ?? false)
    return SWO_OK
}

@_cdecl("swo_why_stop")
public func swo_why_stop() { Tracing.end(PLATFORM_ANSWERS) }

@_cdecl("swo_why")
public func swo_why(
    _ observable: OpaquePointer?, _ format: Int32, _ out: UnsafeMutablePointer<swo_value>?
) -> swo_status {
    guard let observable, let out, isFormat(format) else { return SWO_INVALID_ARGUMENT }
    return answer(withCore(observable) { $0.why(Int(format)) }, out)
}

@_cdecl("swo_why_called")
public func swo_why_called(
    _ observation: swo_observation, _ format: Int32, _ out: UnsafeMutablePointer<swo_value>?
) -> swo_status {
    guard let out, isFormat(format) else { return SWO_INVALID_ARGUMENT }
    let id = ObservationID(rawValue: observation)
    return id.isLiving ? answer(id.why(Int(format)), out) : SWO_NOT_FOUND
}

@_cdecl("swo_trace_start")
public func swo_trace_start(_ fd: Int32, _ options: UnsafePointer<swo_trace_options>?) -> swo_status {
    guard areValid(options) else { return SWO_INVALID_ARGUMENT }
    switch platform_trace_start(fd) {
    case 0: break
    case Int32(PLATFORM_TRACE_STATE): return SWO_CONFLICT
    default: return SWO_INVALID_ARGUMENT
    }
    Tracing.begin(PLATFORM_TRACE, values: options?.pointee.values ?? false)
    return SWO_OK
}

@_cdecl("swo_trace_stop")
public func swo_trace_stop() -> swo_status {
    Tracing.end(PLATFORM_TRACE)
    switch platform_trace_stop() {
    case 0: return SWO_OK
    case Int32(PLATFORM_TRACE_STATE): return SWO_NOT_FOUND
    default: return SWO_CALLBACK_FAILED
    }
}

@_cdecl("swo_trace_begin_computation")
public func swo_trace_begin_computation(_ kind: UnsafePointer<CChar>?, _ name: UnsafePointer<CChar>?) -> Bool {
    guard let kind, Tracing.writesTrace else { return false }
    platform_trace_compute(kind, name)
    return true
}

@_cdecl("swo_trace_end_computation")
public func swo_trace_end_computation() {
    if Tracing.writesTrace { platform_trace_end() }
}

private func areValid(_ options: UnsafePointer<swo_trace_options>?) -> Bool {
    options.map { $0.pointee.size >= MemoryLayout<swo_trace_options>.size } ?? true
}

private func isFormat(_ format: Int32) -> Bool { format >= SWO_WHY_TEXT && format <= SWO_WHY_DOT }

private func answer(_ text: UnsafeMutablePointer<CChar>?, _ out: UnsafeMutablePointer<swo_value>) -> swo_status {
    guard let text else { return SWO_NO_MEMORY }
    var value = swo_text(text)
    value.owned = 1
    out.pointee = value
    return SWO_OK
}
