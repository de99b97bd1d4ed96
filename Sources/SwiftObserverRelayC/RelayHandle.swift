// SPDX-License-Identifier: MIT

import CRelay
import CSwiftObserverRelay

/// A relay as C owns it. Its pointer is the author of what comes in.
final class RelayHandle {
    let relay: Relay
    let state: Held
    private let lock: OpaquePointer
    // Guarded by the lock.
    private var published = Table<Published>()
    /// By their topics, which the mirrors have already.
    private var mirrored = Table<Mirrored>()

    init(_ relay: Relay, state: Held, lock: OpaquePointer) {
        self.relay = relay
        self.state = state
        self.lock = lock
    }

    deinit {
        for one in published.all { one.stop() }
        relay.close()
        for one in mirrored.all { one.stop() }
        relay_lock_free(lock)
    }

    func withPublished<Result>(_ body: (inout Table<Published>) -> Result) -> Result {
        relay_lock_enter(lock)
        defer { relay_lock_leave(lock) }
        return body(&published)
    }

    func withMirrored<Result>(_ body: (inout Table<Mirrored>) -> Result) -> Result {
        relay_lock_enter(lock)
        defer { relay_lock_leave(lock) }
        return body(&mirrored)
    }
}

/// An observable that is kept alive.
final class Held: @unchecked Sendable {
    let observable: OpaquePointer
    /// Of what the relay sends to it.
    let author: UnsafeRawPointer?

    /// - Parameter observable: owned by the caller until now.
    init(taking observable: OpaquePointer, author: UnsafeRawPointer? = nil) {
        self.observable = observable
        self.author = author
    }

    init(_ observable: OpaquePointer) {
        self.observable = swo_observable_retain(observable)!
        author = nil
    }

    deinit { swo_observable_release(observable) }
}

/// Calls `body` with the relay behind a pointer of C.
func withRelay(_ pointer: OpaquePointer?, _ body: (RelayHandle) -> swo_status) -> swo_status {
    guard let pointer else { return SWO_INVALID_ARGUMENT }
    let handle = Unmanaged<RelayHandle>.fromOpaque(UnsafeRawPointer(pointer)).takeUnretainedValue()
    return handle.relay.isHere ? body(handle) : SWO_NOT_FOUND
}

@_cdecl("swo_relay_new")
public func swo_relay_new(
    _ options: UnsafePointer<swo_relay_options>?, _ out: UnsafeMutablePointer<OpaquePointer?>?
) -> swo_status {
    guard let options, let out else { return SWO_INVALID_ARGUMENT }
    var settings: Settings
    switch readSettings(options) {
    case .settings(let read): settings = read
    case .problem(_, let status): return status
    }
    var state: OpaquePointer?
    let status = withCValue(.text(Bytes("connecting"))) { swo_variable_new($0, &state) }
    guard status == SWO_OK else { return status }
    let held = Held(taking: state!)
    guard let lock = relay_lock_new() else { return SWO_NO_MEMORY }
    settings.keepAlive = max(settings.keepAlive, 5)
    guard let relay = Relay.begin(settings, stateChanged: { set(held, .text($0), author: nil) }) else {
        relay_lock_free(lock)
        return SWO_NO_RESOURCES
    }
    let handle = RelayHandle(relay, state: held, lock: lock)
    out.pointee = OpaquePointer(Unmanaged.passRetained(handle).toOpaque())
    return SWO_OK
}

@_cdecl("swo_relay_retain")
public func swo_relay_retain(_ relay: OpaquePointer?) -> OpaquePointer? {
    if let relay { _ = Unmanaged<RelayHandle>.fromOpaque(UnsafeRawPointer(relay)).retain() }
    return relay
}

@_cdecl("swo_relay_release")
public func swo_relay_release(_ relay: OpaquePointer?) {
    if let relay { Unmanaged<RelayHandle>.fromOpaque(UnsafeRawPointer(relay)).release() }
}

@_cdecl("swo_relay_state")
public func swo_relay_state(_ relay: OpaquePointer?) -> OpaquePointer? {
    guard let relay else { return nil }
    return Unmanaged<RelayHandle>.fromOpaque(UnsafeRawPointer(relay)).takeUnretainedValue().state.observable
}

@_cdecl("swo_relay_is_ready")
public func swo_relay_is_ready(_ relay: OpaquePointer?) -> Bool {
    guard let relay else { return false }
    return Unmanaged<RelayHandle>.fromOpaque(UnsafeRawPointer(relay)).takeUnretainedValue().relay.isReadyNow
}

@_cdecl("swo_relay_count")
public func swo_relay_count(_ relay: OpaquePointer?, _ out: UnsafeMutablePointer<swo_relay_counts>?) -> swo_status {
    guard let out, out.pointee.size >= MemoryLayout<swo_relay_counts>.size else { return SWO_INVALID_ARGUMENT }
    return withRelay(relay) { handle in
        let counts = handle.relay.countsNow
        out.pointee.sent = counts.sent
        out.pointee.received = counts.received
        out.pointee.dropped = counts.dropped
        out.pointee.lost = counts.lost
        out.pointee.connections = counts.connections
        return SWO_OK
    }
}
