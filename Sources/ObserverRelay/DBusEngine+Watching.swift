// SPDX-License-Identifier: MIT

import CRelay

/// What is mirrored and watched of others.
extension DBusEngine {
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
            if !asked.contains(where: { $0 === device }) { asked.append(device) }
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
        relay.withLock { if case .mirror? = relay.targets[topic] { true } else { false } }
    }

    private func device(_ name: Bytes) -> DBusDevice {
        if let known = devices[name] { return known }
        let device = DBusDevice(name: name)
        devices.insert(device, at: name)
        return device
    }

    // MARK: - Asking the bus

    private func match(_ device: DBusDevice, _ member: StaticString, _ id: Int32) {
        ask(member, Bytes("type='signal',path='") + device.path.dropLast() + Bytes("'"), id)
        ask(member, Bytes("type='signal',sender='org.freedesktop.DBus',member='NameOwnerChanged',arg0='")
            + device.busName.dropLast() + Bytes("'"), id)
    }

    private func matchAll(_ member: StaticString, _ id: Int32) {
        ask(member, Bytes("type='signal',path_namespace='/org/swiftobserver'"), id)
        ask(member, Bytes("type='signal',sender='org.freedesktop.DBus',member='NameOwnerChanged',arg0namespace='org.swiftobserver'"), id)
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
        if relay_dbus_enter(connection!, answer.message, UInt8(ascii: "a"), Bytes("s").terminated) {
            while let name = read(answer) {
                guard let name = decoded(name, after: busPrefix) else { continue }
                let device = self.device(name)
                device.wanted.append(number)
                askForOwner(device, 0)
            }
        }
        relay.subscribed(id, refused: nil)
    }

    // MARK: - Devices

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
                readProperties(answer, interface, of: path.terminated.elementsEqual(device.path) ? device : nil, isFetched: true)
            }
        }
    }

    private func readProperties(_ message: DBusReceived, _ interface: Bytes, of device: DBusDevice?, isFetched: Bool) {
        inArray(message, "{sv}", "sv") {
            guard let member = read(message) else { return }
            let value = relay_dbus_read_variant(connection!, message.message)
            guard let device, let topic = topicOnBus(device: device.name, interface: interface, member: member) else { return }
            deliver(topic, value, of: device, isFetched: isFetched)
        }
    }

    /// Calls `body` within each entry of an array at this place.
    private func inArray(_ received: DBusReceived, _ contents: StaticString, _ entry: StaticString, _ body: () -> Void) {
        guard relay_dbus_enter(connection!, received.message, UInt8(ascii: "a"), contents.utf8Start) else { return }
        while relay_dbus_enter(connection!, received.message, UInt8(ascii: "e"), entry.utf8Start) {
            body()
            relay_dbus_leave(connection!, received.message)
        }
        relay_dbus_leave(connection!, received.message)
    }

    // MARK: - Signals

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
            guard relay_dbus_enter(connection!, signal.message, UInt8(ascii: "a"), Bytes("s").terminated) else { return }
            while let member = read(signal) {
                guard let topic = topicOnBus(device: device.name, interface: interface, member: member) else { continue }
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
        relay.withLock { if relay.isReady { relay.say("ready") } }
    }

    // MARK: - Delivering

    private func deliver(_ topic: Bytes, _ value: relay_dbus_value, of device: DBusDevice, isFetched: Bool) {
        if value.type == 0 {
            relay.withLock { relay.drop(topic, "a value of a type that is not relayed") }
            return
        }
        withPayload(of: value) { deliver(topic, $0, of: device, isFetched: isFetched) }
    }

    private func deliver(_ topic: Bytes, _ payload: Bytes, of device: DBusDevice, isFetched: Bool) {
        payload.withUnsafeBytes { deliver(topic, $0, of: device, isFetched: isFetched) }
    }

    private func deliver(_ topic: Bytes, _ payload: UnsafeRawBufferPointer, of device: DBusDevice, isFetched: Bool) {
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
