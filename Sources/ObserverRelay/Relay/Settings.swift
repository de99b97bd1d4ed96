// SPDX-License-Identifier: MIT

/// How a relay connects. Texts for C end with a zero.
public struct Settings: Sendable {
    let address: Address
    /// The name of this program's device. `nil`: it publishes nothing.
    let device: Bytes?
    /// What people call it.
    public var title: Bytes?
    /// Where Home Assistant looks for devices. `nil`: it is told of none.
    public private(set) var discovery: Bytes?
    public var user: Bytes?
    public var password: Bytes?
    public var authorities: Bytes?
    public var certificate: Bytes?
    public var key: Bytes?
    /// In seconds.
    public var keepAlive: Int32 = 10
    /// In bytes; what is larger does not cross.
    public var largestPayload = 1 << 16
    /// In milliseconds: how long the first attempt to connect again is waited for, and at most.
    public var firstRetry = 1000
    public var lastRetry = 60000
    /// In milliseconds: how long the owner of what was set may take to answer.
    public var requestTimeout = 10000
    /// In milliseconds: after how long a mirror is null of which nothing says that its owner still has the value; 0:
    /// never.
    public var staleAfter = 0

    /// Has Home Assistant told of the device.
    /// - Parameter prefix: of the topics where it looks for devices.
    /// - Returns: whether that can be a part of a topic, and there are topics.
    public mutating func discover(by prefix: Bytes) -> Bool {
        guard isFilter(prefix), prefix.withUnsafeBytes({ isUTF8($0) }), prefix.count <= 256,
            !prefix.contains(where: { $0 == UInt8(ascii: "#") || $0 == UInt8(ascii: "+") || $0 < 32 })
        else { return false }
        if case .dbus = address { return false }
        discovery = prefix
        return true
    }

    /// - Parameter address: see ``Address``.
    /// - Returns: `nil` if the address is none, or the device's name is none.
    public init?(address: Bytes, device: Bytes?) {
        guard let address = Address(address), device.map({ isName($0[...]) }) ?? true else { return nil }
        self.address = address
        self.device = device
    }
}

/// What is wrong with an address, as a sentence that does not show it: it may have a password in it.
public func problem(withAddress address: Bytes) -> StaticString? {
    if Address(address) != nil { return nil }
    let isOfBroker = address.starts(with: Bytes("mqtt://")) || address.starts(with: Bytes("mqtts://"))
    if isOfBroker, address.contains(UInt8(ascii: "@")) {
        return "address must not name a user: user and password are given on their own, and shown nowhere"
    }
    return """
        address must be mqtt://host:port, mqtts://host:port, dbus:session, dbus:system, dbus: and the address of a bus, or \
        memory:name
        """
}

/// Where messages are exchanged: `mqtt://host:1883`, `mqtts://host:8883` (encrypted; the ports can be left out), or
/// `memory:name`, which is inside this process, for tests; or on a bus: `dbus:session`, `dbus:system`, or `dbus:` and the
/// address of one.
///
/// A user and a password do not belong into it, for addresses stand in messages and logs.
enum Address: Sendable {
    case mqtt(host: Bytes, port: Int32, isEncrypted: Bool)
    case memory(name: Bytes)
    /// Ends with a zero.
    case dbus(address: Bytes)

    init?(_ text: Bytes) {
        if text.starts(with: Bytes("memory:")), text.count > 7 {
            self = .memory(name: Array(text[7...]))
            return
        }
        if text.starts(with: Bytes("dbus:")) {
            let bus = text[5...]
            let isKnown = bus.elementsEqual(Bytes("session")) || bus.elementsEqual(Bytes("system"))
            // The address of a bus has its transport in front.
            guard isKnown || (bus.dropFirst().contains(UInt8(ascii: ":")) && bus.allSatisfy { $0 > 32 && $0 < 127 })
            else { return nil }
            self = .dbus(address: Array(bus).terminated)
            return
        }
        let isEncrypted = text.starts(with: Bytes("mqtts://"))
        guard isEncrypted || text.starts(with: Bytes("mqtt://")) else { return nil }
        let place = text[(isEncrypted ? 8 : 7)...]
        guard !place.contains(where: { Bytes("@/?#").contains($0) || $0 <= 32 }) else { return nil }
        var host = place
        var port: Int32 = isEncrypted ? 8883 : 1883
        // Colons also stand inside the brackets of IPv6.
        if let colon = place.lastIndex(of: UInt8(ascii: ":")), !place[colon...].contains(UInt8(ascii: "]")) {
            host = place[..<colon]
            port = 0
            for digit in place[(colon + 1)...] {
                guard (48...57).contains(digit), port < 65536 else { return nil }
                port = port * 10 + Int32(digit) - 48
            }
        }
        if host.first == UInt8(ascii: "["), host.last == UInt8(ascii: "]") { host = host.dropFirst().dropLast() }
        guard !host.isEmpty, (1...65535).contains(port) else { return nil }
        self = .mqtt(host: Array(host).terminated, port: port, isEncrypted: isEncrypted)
    }
}
