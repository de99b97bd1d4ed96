// SPDX-License-Identifier: MIT

import CRelay

/// The properties of the own device, as `org.freedesktop.DBus.Properties`.
extension DBusTransport {
    func getAll(_ call: DBusReceived) {
        guard let interface = read(call) else {
            refuse(call, "org.freedesktop.DBus.Error.InvalidArgs", "the name of an interface is missing")
            return
        }
        if interface.elementsEqual(deviceInterface) {
            answer(call) { addAttributes(to: $0) }
        } else if let node = nodes().first(where: { $0.interface.elementsEqual(interface.terminated) }) {
            answer(call) { addProperties(of: node, to: $0) }
        } else if interface.starts(with: Bytes("org.freedesktop.DBus.")) {
            answer(call) { $0.within("a", "{sv}") {} }
        } else {
            refuse(call, "org.freedesktop.DBus.Error.UnknownInterface", "the device has no such node")
        }
    }

    /// The property that a call is about. `nil`: there is none, as the caller has been told.
    private func property(_ call: DBusReceived) -> (topic: Bytes, publication: Publication?)? {
        guard let interface = read(call), let name = read(call) else {
            refuse(call, "org.freedesktop.DBus.Error.InvalidArgs", "an interface and a property have to be named")
            return nil
        }
        if let topic = topicOnBus(device: relay.settings.device!, interface: interface, member: name) {
            let publication = relay.withLock { relay.publication(at: topic + Bytes("/set")) }
            if let publication, publication.isRetained { return (topic, publication) }
            if attributes.contains(where: { $0.topic.elementsEqual(topic.terminated) }) { return (topic, nil) }
        }
        refuse(call, "org.freedesktop.DBus.Error.UnknownProperty", "the device has no such property")
        return nil
    }

    func get(_ call: DBusReceived) {
        guard let (topic, publication) = property(call) else { return }
        var payload: Bytes?
        if let publication {
            payload = relay.withLock { publication.value }.payload(as: publication.datatype)
        } else {
            payload = attributes.first { $0.topic.elementsEqual(topic.terminated) }?.payload
        }
        let datatype = publication?.datatype ?? .string
        guard let payload, !payload.isEmpty, problem(with: payload, as: datatype) == nil else {
            refuse(call, "org.swiftobserver.Error.Null", "the property has no value at this moment")
            return
        }
        answer(call) { $0.add(variant: payload, as: datatype.signature) }
    }

    func set(_ call: DBusReceived) {
        guard let (topic, publication) = property(call) else { return }
        guard let publication, publication.set != nil else {
            refuse(call, "org.freedesktop.DBus.Error.PropertyReadOnly", "the property cannot be set")
            return
        }
        let value = relay_dbus_read_variant(connection!, call.message)
        guard value.type == publication.datatype.signature else {
            relay.withLock {
                relay.drop(publication.requests, "a value", Bytes("it is ") + Bytes(publication.datatype.article))
            }
            refuse(call, "org.freedesktop.DBus.Error.InvalidArgs", "the property is of another type")
            return
        }
        let before = relay.withLock { publication.requested }
        withPayload(of: value) { payload in
            (topic + Bytes("/set")).withUnsafeBytes {
                relay.received(
                    Incoming(topic: $0, payload: payload, isRetained: false, subscription: 0, author: 0, seq: 0))
            }
        }
        let number = relay.withLock { publication.requested }
        guard number > before else {
            let why = problem(with: value, as: publication.datatype) ?? "too many values wait to be decided about"
            refuse(call, "org.freedesktop.DBus.Error.InvalidArgs", why)
            return
        }
        guard relay_dbus_wants_answer(connection!, call.message) else { return }
        relay_dbus_keep(connection!, call.message)
        requests.append((publication, number, call.message))
    }

    /// Why a value of the right type is none for a property.
    private func problem(with value: relay_dbus_value, as datatype: Datatype) -> StaticString? {
        withPayload(of: value) { payload in
            if payload.count > relay.settings.largestPayload { return "the value is too large" }
            switch (datatype, Value(payload, as: datatype)) {
            case (_, .some): return nil
            case (.float, nil): return "the value is no finite number"
            default: return "the value is none of the property's type"
            }
        }
    }

    /// Tells those who asked that their values have been decided about, once what became of them is sent.
    func answerRequests(of publication: Publication) {
        guard !requests.isEmpty else { return }
        let (decided, isWithdrawn) = relay.withLock { (publication.decided, publication.isWithdrawn) }
        var left: [(publication: Publication, number: UInt64, call: OpaquePointer)] = []
        for request in requests {
            if isSame(request.publication, publication), isWithdrawn || request.number <= decided {
                _ = DBusMessage.answer(connection!, to: request.call).send()
                relay_dbus_let_go(connection!, request.call)
            } else {
                left.append(request)
            }
        }
        requests = left
    }
}
