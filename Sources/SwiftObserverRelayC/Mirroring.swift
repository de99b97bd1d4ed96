// SPDX-License-Identifier: MIT

import CRelay
import CSwiftObserverRelay

/// What is mirrored under a name.
final class Mirrored {
    let relay: Relay
    let mirror: Mirror
    let held: Held
    private var observation: swo_observation = 0

    init(_ mirror: Mirror, of relay: Relay, held: Held) {
        self.mirror = mirror
        self.relay = relay
        self.held = held
    }

    /// Begins to observe what the program sets.
    func begin() -> swo_status {
        observe(
            held.observable, named: mirror.observationName,
            { context, message, author in
                let this = Unmanaged<Mirrored>.fromOpaque(context!).takeUnretainedValue()
                if author != this.held.author { this.relay.request(value(of: message), of: this.mirror) }
            }, Unmanaged.passRetained(self).toOpaque(), { Unmanaged<Mirrored>.fromOpaque($0!).release() }, &observation)
    }

    func stop() { if observation != 0 { _ = swo_stop(observation) } }
}

@_cdecl("swo_relay_mirror")
public func swo_relay_mirror(
    _ relay: OpaquePointer?, _ name: UnsafePointer<CChar>?, _ kind: Int32, _ out: UnsafeMutablePointer<OpaquePointer?>?
) -> swo_status {
    mirror(relay, name, kind, out, isRetained: true)
}

@_cdecl("swo_relay_mirror_messenger")
public func swo_relay_mirror_messenger(
    _ relay: OpaquePointer?, _ name: UnsafePointer<CChar>?, _ kind: Int32, _ out: UnsafeMutablePointer<OpaquePointer?>?
) -> swo_status {
    mirror(relay, name, kind, out, isRetained: false)
}

private func mirror(
    _ relay: OpaquePointer?, _ name: UnsafePointer<CChar>?, _ kind: Int32,
    _ out: UnsafeMutablePointer<OpaquePointer?>?, isRetained: Bool
) -> swo_status {
    guard let name, let out else { return SWO_INVALID_ARGUMENT }
    let author = UnsafeRawPointer(relay)
    return withRelay(relay) { handle in
        guard let datatype = datatype(of: kind) else { return SWO_WRONG_KIND }
        let path = Bytes(copying: name)
        guard let topic = topic(of: path) else { return SWO_INVALID_ARGUMENT }
        var made: OpaquePointer?
        if isRetained {
            let status = swo_variable_new(nil, &made)
            guard status == SWO_OK else { return status }
        } else {
            made = swo_messenger_new()
        }
        guard swo_observable_set_name(made, name) == SWO_OK else {
            swo_observable_release(made)
            return SWO_NO_MEMORY
        }
        // What captures one object alone takes no memory of its own.
        let held = Held(taking: made!, author: author)
        let begun = handle.relay.mirror(
            path, as: datatype, isRetained: isRetained,
            receive: isRetained
                ? { set(held, $0, author: held.author) } : { send(held, $0, author: held.author) })
        guard let begun else { return mirrorThatIsThere(handle, topic, datatype, out, isRetained) }
        let mirrored = Mirrored(begun, of: handle.relay, held: held)
        let status = isRetained ? mirrored.begin() : SWO_OK
        guard status == SWO_OK else {
            handle.relay.forget(begun)
            return status
        }
        handle.withMirrored { $0.insert(mirrored, at: begun.topic) }
        out.pointee = swo_observable_retain(held.observable)
        return SWO_OK
    }
}

private func mirrorThatIsThere(
    _ handle: RelayHandle, _ topic: Bytes, _ datatype: Datatype, _ out: UnsafeMutablePointer<OpaquePointer?>,
    _ isRetained: Bool
) -> swo_status {
    guard let mirrored = handle.withMirrored({ $0[topic] }) else { return SWO_NOT_FOUND }
    guard mirrored.mirror.datatype == datatype, mirrored.mirror.isRetained == isRetained else { return SWO_WRONG_KIND }
    out.pointee = swo_observable_retain(mirrored.held.observable)
    return SWO_OK
}

@_cdecl("swo_relay_is_pending")
public func swo_relay_is_pending(_ relay: OpaquePointer?, _ name: UnsafePointer<CChar>?) -> Bool {
    var isPending = false
    _ = withMirrored(relay, name) { isPending = $0.relay.isPending($0.mirror) }
    return isPending
}

@_cdecl("swo_relay_unconfirmed")
public func swo_relay_unconfirmed(
    _ relay: OpaquePointer?, _ name: UnsafePointer<CChar>?, _ milliseconds: UnsafeMutablePointer<UInt64>?
) -> swo_status {
    guard let milliseconds else { return SWO_INVALID_ARGUMENT }
    return withMirrored(relay, name) { milliseconds.pointee = UInt64($0.relay.unconfirmed($0.mirror)) }
}

private func withMirrored(
    _ relay: OpaquePointer?, _ name: UnsafePointer<CChar>?, _ body: (Mirrored) -> Void
) -> swo_status {
    guard let name else { return SWO_INVALID_ARGUMENT }
    return withRelay(relay) { handle in
        guard let topic = topic(of: Bytes(copying: name)), let mirrored = handle.withMirrored({ $0[topic] }) else {
            return SWO_NOT_FOUND
        }
        body(mirrored)
        return SWO_OK
    }
}

@_cdecl("swo_relay_forget")
public func swo_relay_forget(_ relay: OpaquePointer?, _ name: UnsafePointer<CChar>?) -> swo_status {
    guard let name else { return SWO_INVALID_ARGUMENT }
    return withRelay(relay) { handle in
        guard let topic = topic(of: Bytes(copying: name)),
            let mirrored = handle.withMirrored({ $0.remove(topic) })
        else { return SWO_NOT_FOUND }
        mirrored.stop()
        handle.relay.forget(mirrored.mirror)
        return SWO_OK
    }
}
