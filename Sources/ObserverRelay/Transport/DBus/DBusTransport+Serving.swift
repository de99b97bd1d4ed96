// SPDX-License-Identifier: MIT

import CRelay

/// What others ask of the own device.
extension DBusTransport {
    /// Whether a call is one that is answered here; else sd-bus answers.
    func serve(_ call: DBusReceived) -> Bool {
        guard relay.settings.device != nil else { return false }
        func isCall(_ interface: StaticString, _ member: StaticString) -> Bool {
            call.member.elementsEqual(Bytes(member))
                && (call.interface.isEmpty || call.interface.elementsEqual(Bytes(interface)))
        }
        let isDevice = call.path.terminated.elementsEqual(ownPath)
        if isCall("org.freedesktop.DBus.Introspectable", "Introspect"), let xml = introspect(call.path) {
            answer(call) { $0.add(xml.terminated) }
        } else if isCall("org.freedesktop.DBus.ObjectManager", "GetManagedObjects"), call.path.elementsEqual(objectRoot)
        {
            answer(call) { addObjects(to: $0) }
        } else if isDevice, isCall("org.freedesktop.DBus.Properties", "GetAll") {
            getAll(call)
        } else if isDevice, isCall("org.freedesktop.DBus.Properties", "Get") {
            get(call)
        } else if isDevice, isCall("org.freedesktop.DBus.Properties", "Set") {
            set(call)
        } else if isDevice, !call.interface.elementsEqual(Bytes("org.freedesktop.DBus.Peer")) {
            refuse(call, "org.freedesktop.DBus.Error.UnknownMethod", "a device has no such method")
        } else {
            return false
        }
        return true
    }

    func answer(_ call: DBusReceived, _ fill: (DBusMessage) -> Void) {
        guard relay_dbus_wants_answer(connection!, call.message) else { return }
        let answer = DBusMessage.answer(connection!, to: call.message)
        fill(answer)
        _ = answer.send()
    }

    func refuse(_ call: DBusReceived, _ error: StaticString, _ why: StaticString) {
        guard relay_dbus_wants_answer(connection!, call.message) else { return }
        let refusal = relay_dbus_refusal(connection!, call.message, error.utf8Start, why.utf8Start)
        _ = relay_dbus_send(connection!, refusal, false)
    }
}
