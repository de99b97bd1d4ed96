// SPDX-License-Identifier: MIT

import CSwiftObserverRelay

/// What is watched while a messenger is observed.
private final class Watch: @unchecked Sendable {
    private let relay: Relay
    private let filter: Bytes
    private let author: UnsafeRawPointer?
    /// Not retained: it ends this.
    private let messenger: OpaquePointer
    /// Not the watcher itself, which keeps the messenger, which keeps this. Calls of `begin` and `end` do not overlap.
    private var number: UInt32 = 0

    init(_ filter: Bytes, of relay: Relay, messenger: OpaquePointer, author: UnsafeRawPointer?) {
        self.filter = filter
        self.relay = relay
        self.messenger = messenger
        self.author = author
    }

    func begin() {
        let held = Held(messenger)
        let watcher = relay.watch(filter) { [unowned(unsafe) relay, author] topic, payload in
            let line = topic.joined(by: UInt8(ascii: " "), to: payload)
            if line.withUnsafeBytes({ isUTF8($0) }) {
                send(held, .text(line), author: author)
            } else {
                relay.refuse("a payload", of: topic, "it is no UTF-8 text")
            }
        }
        number = watcher?.number ?? 0
    }

    func end() { relay.unwatch(number) }
}

@_cdecl("swo_relay_watch")
public func swo_relay_watch(
    _ relay: OpaquePointer?, _ filter: UnsafePointer<CChar>?, _ out: UnsafeMutablePointer<OpaquePointer?>?
) -> swo_status {
    guard let filter, let out else { return SWO_INVALID_ARGUMENT }
    let author = UnsafeRawPointer(relay)
    return withRelay(relay) { handle in
        let bytes = Bytes(copying: filter)
        guard isFilter(bytes), bytes.withUnsafeBytes({ isUTF8($0) }) else { return SWO_INVALID_ARGUMENT }
        let messenger = swo_messenger_new()
        let watch = Watch(bytes, of: handle.relay, messenger: messenger, author: author)
        // Nothing is missed of what the broker retains, for it is asked when something observes.
        _ = swo_observable_on_demand(
            messenger, { Unmanaged<Watch>.fromOpaque($0!).takeUnretainedValue().begin() },
            { Unmanaged<Watch>.fromOpaque($0!).takeUnretainedValue().end() }, Unmanaged.passRetained(watch).toOpaque(),
            { Unmanaged<Watch>.fromOpaque($0!).release() })
        out.pointee = messenger
        return SWO_OK
    }
}
