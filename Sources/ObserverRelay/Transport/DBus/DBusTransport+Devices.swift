// SPDX-License-Identifier: MIT

import CRelay

/// Who has the names of devices, and what those have.
extension DBusTransport {
    /// Its name belongs to another program than before, or to none, or still to the same.
    func owned(_ device: DBusDevice, by owner: Bytes?) {
        let isSame = owner.map { new in device.owner.map { $0.elementsEqual(new) } ?? false } ?? (device.owner == nil)
        if isSame {
            if owner != nil {
                fetch(device)
            } else {
                // Where it has been seen to leave, that stays known.
                if let state = device.state { deliver(device.stateTopic, state, of: device, isFetched: true) }
                forgetValues(of: device, isFetched: true)
            }
            return
        }
        endFetch(device)
        device.owner = owner
        if owner != nil {
            device.state = nil
            device.wanted = filters.map { $0.number }
            fetch(device)
        } else {
            if !(device.state?.elementsEqual(Bytes("disconnected")) ?? false) { device.state = Bytes("lost") }
            deliver(device.stateTopic, device.state!, of: device, isFetched: false)
            forgetValues(of: device, isFetched: false)
        }
    }

    /// Of a program that is gone the bus has no values.
    private func forgetValues(of device: DBusDevice, isFetched: Bool) {
        for known in device.topics.all where known.isRetained {
            if device.state != nil, known.topic.elementsEqual(device.stateTopic) { continue }
            deliver(known.topic, [], of: device, isFetched: isFetched)
        }
    }

    /// Asks a device for all that it has, unless it has been asked and not answered: then what it says will do.
    private func fetch(_ device: DBusDevice) {
        guard let owner = device.owner, !device.isFetching else { return }
        let call = DBusMessage.call(
            connection!, owner, objectRoot.terminated, "org.freedesktop.DBus.ObjectManager", "GetManagedObjects")
        device.round += 1
        device.isFetching = true
        fetching += 1
        lastFetch = relay_milliseconds()
        send(call, .everything(device, round: device.round))
    }

    private func endFetch(_ device: DBusDevice) {
        guard device.isFetching else { return }
        device.isFetching = false
        fetching -= 1
    }

    func fetched(_ device: DBusDevice, _ round: UInt32, _ answer: DBusReceived) {
        guard device.isFetching, device.round == round else { return }
        if let problem = answer.problem {
            relay.withLock { relay.report(Bytes("a device does not say what it has"), of: root + device.name, problem) }
        } else {
            readObjects(answer, of: device)
        }
        endFetch(device)
        device.wanted = []
        for known in device.topics.all where known.isRetained && known.round != round {
            deliver(known.topic, [], of: device, isFetched: true)
        }
    }

    private func readObjects(_ answer: DBusReceived, of device: DBusDevice) {
        inArray(answer, "{oa{sa{sv}}}", "oa{sa{sv}}") {
            guard let path = read(answer, as: "o") else { return }
            inArray(answer, "{sa{sv}}", "sa{sv}") {
                guard let interface = read(answer) else { return }
                let isDevice = path.terminated.elementsEqual(device.path)
                readProperties(answer, interface, of: isDevice ? device : nil, isFetched: true)
            }
        }
    }

    func readProperties(_ message: DBusReceived, _ interface: Bytes, of device: DBusDevice?, isFetched: Bool) {
        inArray(message, "{sv}", "sv") {
            guard let member = read(message) else { return }
            let value = relay_dbus_read_variant(connection!, message.message)
            guard let device, let topic = topicOnBus(device: device.name, interface: interface, member: member) else {
                return
            }
            deliver(topic, value, of: device, isFetched: isFetched)
        }
    }

    /// Calls `body` within each entry of an array at this place.
    private func inArray(_ received: DBusReceived, _ contents: StaticString, _ entry: StaticString, _ body: () -> Void)
    {
        guard relay_dbus_enter(connection!, received.message, UInt8(ascii: "a"), contents.utf8Start) else { return }
        while relay_dbus_enter(connection!, received.message, UInt8(ascii: "e"), entry.utf8Start) {
            body()
            relay_dbus_leave(connection!, received.message)
        }
        relay_dbus_leave(connection!, received.message)
    }
}
