// SPDX-License-Identifier: MIT

import CRelay

let propertiesInterface = Bytes("org.freedesktop.DBus.Properties")

/// What a relay sends, as signals of the own device and calls of others.
extension DBusTransport {
    func publish(_ message: Outgoing, _ topic: Bytes, _ payload: Bytes, isReliable: Bool) -> Int32 {
        let id = newID()
        var property = topic
        if case .request(let mirror, _, _) = message { property = mirror.topic }
        guard let connection, let place = member(of: Array(property.dropLast())) else {
            answer(id)
            return id
        }
        switch message {
        case .request(let mirror, _, _):
            set(place, payload, mirror.datatype, id)
            return id
        case .event(let publication, _, _):
            guard ownsName else {
                answer(id, refused: remark)
                return id
            }
            if let problem = problem(with: payload, as: publication.datatype) {
                answer(id, refused: problem)
                return id
            }
            let signal = DBusMessage.signal(connection, ownPath, place.interface, place.member)
            if !payload.isEmpty { signal.add(payload: payload, as: publication.datatype.signature) }
            return finish(signal, id, isReliable)
        case .value(let publication):
            defer { answerRequests(of: publication) }
            // Withdrawn meanwhile.
            guard !relay.withLock({ publication.isWithdrawn }) else {
                if isReliable { answer(id) }
                return id
            }
            let problem = problem(with: payload, as: publication.datatype)
            if let problem { relay.withLock { relay.drop(publication.topic, "a value", problem) } }
            // To others it is then null, as it is to those who ask.
            return changed(place, problem == nil ? payload : [], publication.datatype, id, isReliable)
        case .attribute:
            // There are none on a bus.
            answer(id)
            return id
        case .nothing:
            for request in requests where request.publication.topic.elementsEqual(topic) {
                answerRequests(of: request.publication)
            }
            return changed(place, [], .string, id, isReliable)
        default:
            attributes.removeAll { $0.topic.elementsEqual(topic) }
            attributes.append((topic, payload))
            if case .description = message { announceNodes() }
            return changed(place, payload, .string, id, isReliable)
        }
    }

    /// Where the own device is. Ends with a zero.
    var ownPath: Bytes {
        objectRoot.joined(by: UInt8(ascii: "/"), to: element(of: relay.settings.device![...])).terminated
    }

    /// What D-Bus cannot carry. A message that is too large for a bus would end the connection.
    func problem(with payload: Bytes, as datatype: Datatype) -> Bytes? {
        if payload.count > 1 << 24 { return Bytes("it is too large for D-Bus") }
        guard case .string = datatype, payload.count > 1 else { return nil }
        if payload.contains(0) { return Bytes("it has a zero in it, which no text of D-Bus has") }
        return payload.withUnsafeBytes { isUTF8($0) } ? nil : Bytes("it is no UTF-8")
    }

    /// Sends a property that changed; null is one that has become invalid.
    private func changed(
        _ place: (device: Bytes, interface: Bytes, member: Bytes), _ payload: Bytes, _ datatype: Datatype, _ id: Int32,
        _ isReliable: Bool
    ) -> Int32 {
        // Nothing listens to a program that waits for its name: when it has it, it is asked.
        guard ownsName else {
            if isReliable { answer(id) }
            return id
        }
        let signal = DBusMessage.signal(
            connection!, ownPath, propertiesInterface.terminated, Bytes("PropertiesChanged").terminated)
        signal.add(place.interface)
        signal.within("a", "{sv}") {
            if !payload.isEmpty { signal.add(place.member, payload: payload, as: datatype.signature) }
        }
        signal.within("a", "s") { if payload.isEmpty { signal.add(place.member) } }
        return finish(signal, id, isReliable)
    }

    private func finish(_ message: DBusMessage, _ id: Int32, _ isReliable: Bool) -> Int32 {
        if message.send() < 0 { return -1 }
        if isReliable { answerWhenWritten(id) }
        return id
    }

    /// Asks the owner of something for another value.
    private func set(
        _ place: (device: Bytes, interface: Bytes, member: Bytes), _ payload: Bytes, _ datatype: Datatype, _ id: Int32
    ) {
        if payload.isEmpty {
            answer(id, refused: Bytes("D-Bus has no null to set"))
            return
        }
        if let problem = problem(with: payload, as: datatype) {
            answer(id, refused: problem)
            return
        }
        let device = DBusDevice(name: place.device)
        let call = DBusMessage.call(
            connection!, device.busName, device.path, "org.freedesktop.DBus.Properties", "Set")
        call.add(place.interface)
        call.add(place.member)
        call.add(variant: payload, as: datatype.signature)
        send(call, .set(id))
    }
}
