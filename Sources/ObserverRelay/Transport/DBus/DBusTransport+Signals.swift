// SPDX-License-Identifier: MIT

import CRelay

/// What the bus and devices send by themselves.
extension DBusTransport {
    func signalled(_ signal: DBusReceived) {
        if signal.sender.elementsEqual(Bytes("org.freedesktop.DBus")) {
            if signal.member.elementsEqual(Bytes("NameOwnerChanged")) {
                nameOwnerChanged(signal)
            } else if signal.member.elementsEqual(Bytes("NameAcquired")) {
                nameAcquired(signal)
            }
            return
        }
        // Only of who has the name that the path says.
        guard let name = decoded(signal.path, after: objectRoot + Bytes("/")), let device = devices[name],
            let owner = device.owner, owner.elementsEqual(signal.sender.terminated)
        else { return }
        if signal.interface.elementsEqual(propertiesInterface) {
            guard signal.member.elementsEqual(Bytes("PropertiesChanged")), let interface = read(signal) else { return }
            readProperties(signal, interface, of: device, isFetched: false)
            guard relay_dbus_enter(connection!, signal.message, UInt8(ascii: "a"), Bytes("s").terminated) else {
                return
            }
            while let member = read(signal) {
                guard let topic = topicOnBus(device: device.name, interface: interface, member: member) else {
                    continue
                }
                deliver(topic, [], of: device, isFetched: false)
            }
        } else if let topic = topicOnBus(device: device.name, interface: signal.interface, member: signal.member) {
            deliver(topic, relay_dbus_read_value(connection!, signal.message), of: device, isFetched: false)
        }
    }

    private func nameOwnerChanged(_ signal: DBusReceived) {
        guard let changed = read(signal), read(signal) != nil, let owner = read(signal),
            let name = decoded(changed, after: busPrefix)
        else { return }
        guard let device = devices[name] ?? (filters.isEmpty ? nil : device(name)) else { return }
        owned(device, by: owner.isEmpty ? nil : owner.terminated)
    }

    private func nameAcquired(_ signal: DBusReceived) {
        guard !ownsName, let device = relay.settings.device, let acquired = read(signal),
            acquired.elementsEqual(busPrefix + element(of: device[...]))
        else { return }
        ownsName = true
        relay.withLock { if relay.isReady { relay.sayReady() } }
    }

    // MARK: - Delivering

    func deliver(_ topic: Bytes, _ value: relay_dbus_value, of device: DBusDevice, isFetched: Bool) {
        if value.type == 0 {
            relay.withLock { relay.drop(topic, "a value of a type that is not relayed") }
            return
        }
        withPayload(of: value) { deliver(topic, $0, of: device, isFetched: isFetched) }
    }

    func deliver(_ topic: Bytes, _ payload: Bytes, of device: DBusDevice, isFetched: Bool) {
        payload.withUnsafeBytes { deliver(topic, $0, of: device, isFetched: isFetched) }
    }

    func deliver(_ topic: Bytes, _ payload: UnsafeRawBufferPointer, of device: DBusDevice, isFetched: Bool) {
        if topic.elementsEqual(device.stateTopic), device.owner != nil { device.state = Array(payload) }
        topic.withUnsafeBytes { topicBytes in
            func hand(_ number: UInt32) {
                relay.received(
                    Incoming(
                        topic: topicBytes, payload: payload, isRetained: isFetched, subscription: number, author: 0,
                        seq: 0))
            }
            if let known = device.topics[topicBytes], known.isRetained || !isFetched {
                known.round = device.round
                hand(0)
            }
            for (filter, number) in filters where matches(topic, filter) {
                if !isFetched || device.wanted.contains(number) { hand(number) }
            }
        }
    }
}

/// Calls `body` with the payload that a value stands for.
func withPayload<Result>(of value: relay_dbus_value, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    if let text = value.text {
        return body(UnsafeRawBufferPointer(start: text, count: value.size))
    } else {
        return withUnsafeBytes(of: value.characters) { body(UnsafeRawBufferPointer(rebasing: $0[..<value.size])) }
    }
}
