// SPDX-License-Identifier: MIT

import CPlatform
import CSwiftObserver
import ObserverEngine

@_cdecl("swo_debounce")
public func swo_debounce(
    _ source: OpaquePointer?, _ interval: Int64, _ clock: OpaquePointer?, _ out: UnsafeMutablePointer<OpaquePointer?>?
) -> swo_status {
    guard let clock = timers(orDefault: clock), isInterval(interval) else { return SWO_INVALID_ARGUMENT }
    return attach("debounce", to: source, on: clock, out) {
        debouncing(interval, $1, passing(to: $0))
    }
}

@_cdecl("swo_throttle")
public func swo_throttle(
    _ source: OpaquePointer?, _ interval: Int64, _ which: Int32, _ clock: OpaquePointer?,
    _ out: UnsafeMutablePointer<OpaquePointer?>?
) -> swo_status {
    guard let clock = timers(orDefault: clock), isInterval(interval), which >= SWO_THROTTLE_BOTH,
        which <= SWO_THROTTLE_LATEST
    else { return SWO_INVALID_ARGUMENT }
    return attach("throttle", to: source, on: clock, out) {
        throttling(
            interval, first: which != SWO_THROTTLE_LATEST, latest: which != SWO_THROTTLE_FIRST, $1, passing(to: $0),
            passingAtOnce(to: $0))
    }
}

@_cdecl("swo_delay")
public func swo_delay(
    _ source: OpaquePointer?, _ interval: Int64, _ clock: OpaquePointer?, _ out: UnsafeMutablePointer<OpaquePointer?>?
) -> swo_status {
    guard let clock = timers(orDefault: clock), isInterval(interval) else { return SWO_INVALID_ARGUMENT }
    return attach("delay", to: source, on: clock, out) { delaying(interval, $1, passing(to: $0)) }
}

@_cdecl("swo_timeout")
public func swo_timeout(
    _ source: OpaquePointer?, _ interval: Int64, _ message: UnsafePointer<swo_value>?, _ clock: OpaquePointer?,
    _ out: UnsafeMutablePointer<OpaquePointer?>?
) -> swo_status {
    guard let clock = timers(orDefault: clock), isInterval(interval) else { return SWO_INVALID_ARGUMENT }
    let status = message.map { checkValue($0) } ?? SWO_OK
    guard status == SWO_OK else { return status }
    let null = swo_value()
    // Counted, because the copy of an object is a callback, which may release it.
    let counted = source.map { handle($0) }
    defer { withExtendedLifetime(counted) {} }
    guard let kept = withUnsafePointer(to: null, { StoredMessage(copying: message ?? $0) }) else {
        return SWO_NO_MEMORY
    }
    return attach("timeout", to: source, on: clock, out) { target, waiting in
        let pass = passing(to: target), author = UnsafeRawPointer(Unmanaged.passUnretained(target).toOpaque())
        return timingOut(interval, waiting, passingAtOnce(to: target)) { pass(kept, author) }
    }
}

@_cdecl("swo_buffer")
public func swo_buffer(
    _ source: OpaquePointer?, _ count: Int, _ interval: Int64, _ clock: OpaquePointer?,
    _ out: UnsafeMutablePointer<OpaquePointer?>?
) -> swo_status {
    if interval == 0, count != 0 { return gathering(source, bounded(count), out) }
    guard let clock = timers(orDefault: clock), isInterval(interval) else { return SWO_INVALID_ARGUMENT }
    return attach("buffer", to: source, on: clock, out) {
        buffering(count == 0 ? nil : bounded(count), interval, $1, passingBuffers(to: $0))
    }
}

@_cdecl("swo_ticks")
public func swo_ticks(
    _ interval: Int64, _ clock: OpaquePointer?, _ out: UnsafeMutablePointer<OpaquePointer?>?
) -> swo_status {
    guard let clock = timers(orDefault: clock), let out, isInterval(interval) else { return SWO_INVALID_ARGUMENT }
    if platform_is_out_of_memory() { return SWO_NO_MEMORY }
    let target = Core<CHandler>(kind: text("ticks"))
    let author = UnsafeRawPointer(Unmanaged.passUnretained(target).toOpaque())
    let upstream = Upstream(
        timing: waiting(on: clock, target) { target, waiting in
            ticking(interval, waiting) { count in
                withUnsafePointer(to: swo_int64(count)) { target.send($0, author: author) == .sent }
            }
        })
    upstream.waitWhileObserved(target)
    let handle = ObservableHandle(target, .transform(upstream))
    handle.followsObservations()
    out.pointee = handle.export()
    return SWO_OK
}

private func isInterval(_ interval: Int64) -> Bool { interval > 0 && interval < .max }

/// Sends a message as it comes.
private func passingAtOnce(to target: Core<CHandler>) -> (UnsafePointer<swo_value>, UnsafeRawPointer?) -> Bool {
    { target.pass($0, author: $1) == .sent }
}
