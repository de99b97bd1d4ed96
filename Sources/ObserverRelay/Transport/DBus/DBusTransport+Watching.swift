// SPDX-License-Identifier: MIT

import CRelay

/// What is mirrored and watched of others.
extension DBusTransport {
    func subscribe(_ topics: [Bytes], withRetained: Bool, number: UInt32) -> Int32 {
        let id = newID()
        guard connection != nil else { return -1 }
        if number != 0 {
            watch(Array(topics[0].dropLast()), number, id)
            return id
        }
        var asked: [DBusDevice] = []
        for text in topics {
            let topic = Array(text.dropLast())
            guard let place = member(of: topic) else { continue }
            // The own state and what others ask of the own device come in other ways.
            if place.device.elementsEqual(relay.settings.device ?? []), !isMirrored(topic) { continue }
            let device = self.device(place.device)
            if device.topics.count == 0 { match(device, "AddMatch", id) }
            if let known = device.topics[topic] {
                known.isRetained = known.isRetained || withRetained
            } else {
                device.topics.insert(DBusTopic(topic, isRetained: withRetained), at: topic)
            }
            if !asked.contains(where: { isSame($0, device) }) { asked.append(device) }
        }
        for (index, device) in asked.enumerated() { askForOwner(device, index == asked.count - 1 ? id : 0) }
        if asked.isEmpty { completed.append(id) }
        return id
    }

    func unsubscribe(_ text: Bytes) {
        let topic = Array(text.dropLast())
        if let index = filters.firstIndex(where: { $0.filter.elementsEqual(topic) }) {
            filters.remove(at: index)
            if filters.isEmpty { matchAll("RemoveMatch", 0) }
            return
        }
        guard let place = member(of: topic), let device = devices[place.device] else { return }
        if device.topics.remove(topic) != nil, device.topics.count == 0 { match(device, "RemoveMatch", 0) }
    }

    private func isMirrored(_ topic: Bytes) -> Bool {
        relay.withLock {
            switch relay.targets[topic] {
            case .mirror?, .state?, .description?: true
            default: false
            }
        }
    }

    func device(_ name: Bytes) -> DBusDevice {
        if let known = devices[name] { return known }
        let device = DBusDevice(name: name)
        devices.insert(device, at: name)
        return device
    }

    // MARK: - Asking the bus

    private func match(_ device: DBusDevice, _ member: StaticString, _ id: Int32) {
        ask(member, Bytes("type='signal',path='") + device.path.dropLast() + Bytes("'"), id)
        ask(member, Bytes(ownerChanges) + Bytes("arg0='") + device.busName.dropLast() + Bytes("'"), id)
    }

    private func matchAll(_ member: StaticString, _ id: Int32) {
        ask(member, Bytes("type='signal',path_namespace='/org/swiftobserver'"), id)
        ask(member, Bytes(ownerChanges) + Bytes("arg0namespace='org.swiftobserver'"), id)
    }

    private func ask(_ member: StaticString, _ rule: Bytes, _ id: Int32) {
        let call = callOfBus(member)
        call.add(rule.terminated)
        send(call, .match(id))
    }

    private func askForOwner(_ device: DBusDevice, _ id: Int32) {
        let call = callOfBus("GetNameOwner")
        call.add(device.busName)
        send(call, .owner(device, id))
    }

    private func askForNames(_ number: UInt32, _ id: Int32) { send(callOfBus("ListNames"), .names(number, id)) }

    private func watch(_ filter: Bytes, _ number: UInt32, _ id: Int32) {
        if filters.isEmpty { matchAll("AddMatch", id) }
        // The same filter is one subscription, which has the last number.
        filters.removeAll { $0.filter.elementsEqual(filter) }
        filters.append((filter, number))
        askForNames(number, id)
    }

    func listed(_ answer: DBusReceived, for number: UInt32, _ id: Int32) {
        var named: [DBusDevice] = []
        if relay_dbus_enter(connection!, answer.message, UInt8(ascii: "a"), Bytes("s").terminated) {
            while let name = read(answer) {
                guard let name = decoded(name, after: busPrefix) else { continue }
                let device = self.device(name)
                device.wanted.append(number)
                named.append(device)
            }
        }
        // Complete once each is asked for what it has.
        for (index, device) in named.enumerated() { askForOwner(device, index == named.count - 1 ? id : 0) }
        if named.isEmpty { relay.subscribed(id, refused: nil) }
    }
}

private let ownerChanges: StaticString = "type='signal',sender='org.freedesktop.DBus',member='NameOwnerChanged',"
