// SPDX-License-Identifier: MIT

/// What Homie's `$description` says of a device, as JSON.
func describe(device: Bytes, title: Bytes?, publications: [Publication]) -> Bytes {
    var json = Bytes(#"{"homie":"5.0","version":"#)
    var properties: [(node: ArraySlice<UInt8>, name: ArraySlice<UInt8>, of: Publication)] = []
    for publication in publications {
        let names = publication.path.split(separator: UInt8(ascii: "/"))
        properties.append((names[0], names[1], publication))
    }
    properties.sort { $0.of.path.lexicographicallyPrecedes($1.of.path) }
    // Changes with what is described, and with nothing else.
    var version: UInt64 = 17
    for (_, _, publication) in properties {
        for byte in publication.topic { version = version &* 31 &+ UInt64(byte) }
        version = version &* 4 &+ (publication.set == nil ? 0 : 1) &+ (publication.isRetained ? 2 : 0)
        for byte in Bytes(publication.datatype.name) { version = version &* 31 &+ UInt64(byte) }
    }
    json.add(version & 0x7FFF_FFFF)
    json.add(#","name":"#)
    json.addQuoted((title ?? device)[...])
    json.add(#","nodes":{"#)
    var node: ArraySlice<UInt8> = []
    for (index, property) in properties.enumerated() {
        if !property.node.elementsEqual(node) {
            if index > 0 { json.add("}},") }
            node = property.node
            json.addQuoted(node)
            json.add(#":{"name":"#)
            json.addQuoted(node)
            json.add(#","properties":{"#)
        } else {
            json.add(",")
        }
        json.addQuoted(property.name)
        json.add(#":{"name":"#)
        json.addQuoted(property.name)
        json.add(#","datatype":""#)
        json.add(property.of.datatype.name)
        json.add(#"","settable":"#)
        json.add(property.of.set == nil ? "false" : "true")
        json.add(#","retained":"#)
        json.add(property.of.isRetained ? "true}" : "false}")
    }
    json.add(properties.isEmpty ? "}}" : "}}}}")
    return json
}

extension Array where Element == UInt8 {
    mutating func addQuoted(_ text: ArraySlice<UInt8>) {
        append(UInt8(ascii: "\""))
        for byte in text {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                append(UInt8(ascii: "\\"))
                append(byte)
            case 0..<32:
                add(#"\u00"#)
                append(byte < 16 ? 48 : 49)
                append(byte % 16 < 10 ? 48 + byte % 16 : 87 + byte % 16)
            default: append(byte)
            }
        }
        append(UInt8(ascii: "\""))
    }
}
