// SPDX-License-Identifier: MIT

import CRelay

/// A message that is being made. What goes wrong meanwhile, sending says.
struct DBusMessage {
    let connection: OpaquePointer
    let message: OpaquePointer?

    static func signal(_ connection: OpaquePointer, _ path: Bytes, _ interface: Bytes, _ member: Bytes) -> DBusMessage {
        DBusMessage(connection: connection, message: relay_dbus_signal(connection, path, interface, member))
    }

    static func call(
        _ connection: OpaquePointer, _ destination: Bytes, _ path: Bytes, _ interface: StaticString,
        _ member: StaticString
    ) -> DBusMessage {
        DBusMessage(
            connection: connection,
            message: relay_dbus_call(connection, destination, path, interface.utf8Start, member.utf8Start))
    }

    static func answer(_ connection: OpaquePointer, to call: OpaquePointer) -> DBusMessage {
        DBusMessage(connection: connection, message: relay_dbus_answer(connection, call))
    }

    /// - Parameter text: ends with a zero.
    func add(_ text: Bytes, as type: Unicode.Scalar = "s") {
        relay_dbus_add_text(connection, message, UInt8(ascii: type), text)
    }

    func add(flags: UInt32) { relay_dbus_add_flags(connection, message, flags) }

    func add(payload: Bytes, as type: UInt8) {
        relay_dbus_add_value(connection, message, type, payload.elementsEqual([0]) ? [0] : payload.terminated)
    }

    func within(_ type: Unicode.Scalar, _ contents: StaticString, _ body: () -> Void) {
        relay_dbus_open(connection, message, UInt8(ascii: type), contents.utf8Start)
        body()
        relay_dbus_close(connection, message)
    }

    func add(variant payload: Bytes, as type: UInt8) {
        relay_dbus_open(connection, message, UInt8(ascii: "v"), [type, 0])
        add(payload: payload, as: type)
        relay_dbus_close(connection, message)
    }

    /// An entry of `a{sv}`.
    func add(_ name: Bytes, payload: Bytes, as type: UInt8) {
        within("e", "sv") {
            add(name)
            add(variant: payload, as: type)
        }
    }

    /// The number that its answer has, 0 if none is wanted, or a negative one: it cannot be sent.
    func send(isAnswered: Bool = false) -> Int64 { relay_dbus_send(connection, message, isAnswered) }
}
