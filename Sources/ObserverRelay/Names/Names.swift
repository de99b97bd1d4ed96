// SPDX-License-Identifier: MIT

/// Where Homie 5 has the devices.
let root = Bytes("homie/5/")

/// What the observation is called that serves a topic, a zero at its end: `relay device/node/property`.
func nameOfObservation(serving topic: Bytes) -> Bytes { Bytes("relay ") + topic.dropFirst(root.count) }

/// Whether a text can be the name of a device, a node or a property: small letters, digits and hyphens. So no name has
/// a wildcard, a slash or a space in it.
public func isName(_ text: ArraySlice<UInt8>) -> Bool {
    !text.isEmpty && text.count <= 128
        && text.allSatisfy {
            switch $0 {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): true
            default: false
            }
        }
}

/// The parts of `node/property` or `device/node/property`. `nil`: it is no such path.
func parts(of path: Bytes, count: Int) -> [ArraySlice<UInt8>]? {
    let parts = path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    return parts.count == count && parts.allSatisfy(isName) ? parts : nil
}

/// Whether something can be published as this: `node/property`.
public func isPublishable(_ path: Bytes) -> Bool { parts(of: path, count: 2) != nil }

/// The topic of `device/node/property`, or of an attribute of a device: `device/$state`. It ends with a zero.
public func topic(of path: Bytes) -> Bytes? {
    if parts(of: path, count: 3) == nil {
        let parts = path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard parts.count == 2, isName(parts[0]), parts[1].first == UInt8(ascii: "$"), isName(parts[1].dropFirst())
        else { return nil }
    }
    // Each mirror has one, with no room that it does not need.
    var topic = Bytes()
    topic.reserveCapacity(root.count + path.count + 1)
    topic.append(contentsOf: root)
    topic.append(contentsOf: path)
    topic.append(0)
    return topic
}

/// Whether a filter of MQTT is one: wildcards fill a level, and `#` is the last.
public func isFilter(_ filter: Bytes) -> Bool {
    let levels = filter.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    for (index, level) in levels.enumerated() {
        if level.contains(UInt8(ascii: "#")), level.count > 1 || index != levels.count - 1 { return false }
        if level.contains(UInt8(ascii: "+")), level.count > 1 { return false }
    }
    return !filter.isEmpty && filter.count < 65536 && !filter.contains(0)
}

/// Whether a topic is one that a filter asks for.
func matches(_ topic: Bytes, _ filter: Bytes) -> Bool {
    let levels = topic.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    let wanted = filter.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    for (index, level) in wanted.enumerated() {
        if level.elementsEqual(Bytes("#")) { return true }
        guard index < levels.count else { return false }
        if !level.elementsEqual(Bytes("+")) && !level.elementsEqual(levels[index]) { return false }
    }
    return levels.count == wanted.count
}
