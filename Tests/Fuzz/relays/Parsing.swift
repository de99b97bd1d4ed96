// SPDX-License-Identifier: MIT

import CRelay
import CSwiftObserverRelay

/// What a relay reads of what comes from the network, from a bus and from its program, for libFuzzer: a part of the
/// relays' module while it is fuzzed. The first byte says what is read.
@_cdecl("LLVMFuzzerTestOneInput")
public func readAnything(_ data: UnsafePointer<UInt8>, _ size: Int) -> Int32 {
    let input = Array(UnsafeBufferPointer(start: data, count: size))
    guard let kind = input.first else { return 0 }
    let rest = Array(input.dropFirst())
    switch kind % 5 {
    case 0: readPayload(rest)
    case 1: readTopic(rest)
    case 2: readAddress(rest)
    case 3: readElement(rest)
    default: readText(rest)
    }
    return 0
}

/// Whether this one of the faults of faults.txt is switched on.
@_silgen_name("relay_is_broken")
func isBroken(_ number: Int32) -> Bool

private func expect(_ condition: Bool, _ sentence: StaticString) {
    if !condition { fatalError(sentence) }
}

/// What was read is sent as something that is read as the same.
private func readPayload(_ payload: Bytes) {
    for datatype in [Datatype.boolean, .integer, .float, .string] {
        guard let value = payload.withUnsafeBytes({ Value($0, as: datatype) }) else { continue }
        if datatype == .integer, !payload.isEmpty {
            let digits = payload.dropFirst(payload[0] == UInt8(ascii: "-") ? 1 : 0)
            expect(!digits.isEmpty && digits.allSatisfy { (48...57).contains($0) }, "an integer is written otherwise")
        }
        guard let sent = value.payload(as: datatype) else { fatalError("what was read cannot be sent") }
        expect(value.fits(sent.count, as: datatype) == true, "what was read does not fit into what is sent for it")
        guard let again = sent.withUnsafeBytes({ Value($0, as: datatype) }) else { fatalError("cannot be read again") }
        expect(isSame(value, again), "what is sent is read as something else")
        if case .text(let text) = value { expect(text.withUnsafeBytes { isUTF8($0) }, "a text is no UTF-8") }
    }
}

private func isSame(_ one: Value, _ other: Value) -> Bool {
    switch (one, other) {
    case (.null, .null): true
    case (.boolean(let one), .boolean(let other)): one == other
    case (.integer(let one), .integer(let other)): one == other
    case (.float(let one), .float(let other)): one == other && one.isFinite
    case (.text(let one), .text(let other)): one.elementsEqual(other)
    default: false
    }
}

/// A path, a filter, and the topic of a device on a bus.
private func readTopic(_ text: Bytes) {
    if let topic = topic(of: text) {
        expect(topic.last == 0 && topic.starts(with: root), "a topic is none of Homie's")
        let bare = Array(topic.dropLast())
        expect(isFilter(bare) && matches(bare, bare), "a topic does not match itself")
        expect(matches(bare, Bytes("#")) && matches(bare, Bytes("homie/5/#")), "# does not match a topic")
        guard let place = member(of: bare) else { fatalError("a topic has no place on a bus") }
        let back = topicOnBus(
            device: place.device, interface: Array(place.interface.dropLast()), member: Array(place.member.dropLast()))
        expect(back.map { $0.elementsEqual(bare) } ?? false, "a topic is another one after a bus")
    }
    // The one before the line feed is matched with the one after it.
    let parts = text.split(separator: 10, maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, isFilter(Array(parts[1])) else { return }
    let levels = parts[0].split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    let wanted = parts[1].split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    expect(
        matches(Array(parts[0]), Array(parts[1])) == matches(levels[...], wanted[...]),
        "a topic matches a filter otherwise than level by level")
}

/// As the standard of MQTT says it.
private func matches(_ levels: ArraySlice<ArraySlice<UInt8>>, _ wanted: ArraySlice<ArraySlice<UInt8>>) -> Bool {
    guard let want = wanted.first else { return levels.isEmpty }
    if want.elementsEqual(Bytes("#")) { return true }
    guard let level = levels.first else { return false }
    return (want.elementsEqual(Bytes("+")) || want.elementsEqual(level))
        && matches(levels.dropFirst(), wanted.dropFirst())
}

private func readAddress(_ text: Bytes) {
    guard let address = Address(text) else { return }
    switch address {
    case .mqtt(let host, let port, _):
        expect(host.count > 1 && host.last == 0 && (1...65535).contains(port), "an address has no host or no port")
        expect(!host.dropLast().contains(0), "a host has a zero in it")
    case .memory(let name): expect(!name.isEmpty, "a broker has no name")
    case .dbus(let address): expect(address.last == 0 && !address.dropLast().contains(0), "a bus has a zero in it")
    }
    if var settings = Settings(address: text, device: nil), settings.discover(by: text) {
        expect(isFilter(settings.discovery!), "a prefix is no topic")
    }
}

/// An element of D-Bus and the name that it stands for.
private func readElement(_ text: Bytes) {
    if let name = decoded(text[...]) {
        expect(isName(name[...]) && element(of: name[...]).elementsEqual(text), "an element stands for another name")
    }
    if isName(text[...]) {
        guard let name = decoded(element(of: text[...])[...]) else { fatalError("a name has no element") }
        expect(name.elementsEqual(text), "a name is another one after a bus")
    }
    let parts = text.split(separator: 10, maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3 else { return }
    _ = topicOnBus(device: Array(parts[0]), interface: Array(parts[1]), member: Array(parts[2]))
}

/// Any text in JSON is one token: no quote and no control character ends it early.
private func readText(_ text: Bytes) {
    var json = Bytes()
    json.addQuoted(text[...])
    var back = Bytes()
    var index = 1
    while index < json.count - 1 {
        var byte = json[index]
        expect(byte >= 32 && byte != UInt8(ascii: "\""), "JSON with a character that has to be escaped")
        if byte == UInt8(ascii: "\\") {
            index += 1
            byte = json[index]
            if byte == UInt8(ascii: "u") {
                func digit(_ at: Int) -> UInt8 { json[at] < 58 ? json[at] - 48 : json[at] - 87 }
                expect(json[index + 1] == 48 && json[index + 2] == 48, "an escape of two bytes")
                byte = digit(index + 3) * 16 + digit(index + 4)
                index += 4
            }
        }
        back.append(byte)
        index += 1
    }
    expect(back.elementsEqual(text) && json.first == 34 && json.last == 34, "JSON stands for another text")
}
