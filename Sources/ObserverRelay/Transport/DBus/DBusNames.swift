// SPDX-License-Identifier: MIT

/// Where devices are on a bus:
///
///     kitchen/climate/room-temperature
///     name org.swiftobserver.kitchen     path /org/swiftobserver/kitchen
///     interface org.swiftobserver.climate     property or signal room_temperature
///
/// What names have and D-Bus has not is `-`, which becomes `_`, and a digit in front, which an `N` precedes; so each
/// name has one element, and each element one name. Attributes of the device, like `$state`, are properties of
/// `org.swiftobserver.Device`, which no node is called.
let busPrefix = Bytes("org.swiftobserver.")
let objectRoot = Bytes("/org/swiftobserver")
let deviceInterface = Bytes("org.swiftobserver.Device")

/// The element of D-Bus that stands for a name.
func element(of name: ArraySlice<UInt8>) -> Bytes {
    var element = Bytes()
    if let first = name.first, (48...57).contains(first) { element.append(UInt8(ascii: "N")) }
    for byte in name { element.append(byte == UInt8(ascii: "-") ? UInt8(ascii: "_") : byte) }
    return element
}

/// The name that an element stands for. `nil`: none.
func decoded(_ element: ArraySlice<UInt8>) -> Bytes? {
    var rest = element
    if rest.first == UInt8(ascii: "N") { rest = rest.dropFirst() }
    guard let first = rest.first, (48...57).contains(first) == (rest.count < element.count) else { return nil }
    var name = Bytes()
    for byte in rest {
        if byte == UInt8(ascii: "-") { return nil }
        name.append(byte == UInt8(ascii: "_") ? UInt8(ascii: "-") : byte)
    }
    return isName(name[...]) ? name : nil
}

/// What is after a prefix and is not empty, as a name. `nil`: another prefix, or no name.
func decoded(_ text: Bytes, after prefix: Bytes) -> Bytes? {
    text.starts(with: prefix) ? decoded(text[prefix.count...]) : nil
}

/// The interface and the member that a topic of a device is. Each ends with a zero.
func member(of topic: Bytes) -> (device: Bytes, interface: Bytes, member: Bytes)? {
    let parts = topic.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard topic.starts(with: root), (4...5).contains(parts.count) else { return nil }
    if parts.count == 4 {
        guard parts[3].first == UInt8(ascii: "$") else { return nil }
        return (Array(parts[2]), deviceInterface.terminated, element(of: parts[3].dropFirst()).terminated)
    }
    return (Array(parts[2]), (busPrefix + element(of: parts[3])).terminated, element(of: parts[4]).terminated)
}

/// The topic of what a device has. `nil`: it is none.
func topicOnBus(device: Bytes, interface: Bytes, member: Bytes) -> Bytes? {
    guard let property = decoded(member[...]) else { return nil }
    let start = (root + device).joined(by: UInt8(ascii: "/"), to: [])
    if interface.elementsEqual(deviceInterface) { return start + Bytes("$") + property }
    guard let node = decoded(interface, after: busPrefix) else { return nil }
    return (start + node).joined(by: UInt8(ascii: "/"), to: property)
}

extension Datatype {
    /// What D-Bus calls it.
    var signature: UInt8 {
        switch self {
        case .boolean: UInt8(ascii: "b")
        case .integer: UInt8(ascii: "x")
        case .float: UInt8(ascii: "d")
        case .string: UInt8(ascii: "s")
        }
    }
}
