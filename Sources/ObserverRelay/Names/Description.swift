// SPDX-License-Identifier: MIT

/// What Homie's `$description` says of a device, as JSON, but for its version. Publications come by their path.
func describe(device: Bytes, title: Bytes?, publications: [Publication]) -> Bytes {
    var json = Bytes(#","name":"#)
    json.addQuoted((title ?? device)[...])
    json.add(#","nodes":{"#)
    var node: ArraySlice<UInt8> = []
    for publication in publications {
        let names = publication.path.split(separator: UInt8(ascii: "/"))
        if !names[0].elementsEqual(node) {
            if !node.isEmpty { json.add("}},") }
            node = names[0]
            json.addQuoted(node)
            json.add(#":{"name":"#)
            json.addQuoted(node)
            json.add(#","properties":{"#)
        } else {
            json.add(",")
        }
        json.addQuoted(names[1])
        json.add(#":{"name":"#)
        json.addQuoted(publication.about.title.map { $0[...] } ?? names[1])
        json.add(#","datatype":""#)
        json.add(publication.datatypeName)
        json.add(#"","settable":"#)
        json.add(publication.set == nil ? "false" : "true")
        json.add(#","retained":"#)
        json.add(publication.isRetained ? "true" : "false")
        if let unit = publication.about.unit {
            json.add(#","unit":"#)
            json.addQuoted(unit[...])
        }
        if let format = publication.about.format {
            json.add(#","format":"#)
            json.addQuoted(format.text[...])
        }
        json.add("}")
    }
    json.add(publications.isEmpty ? "}}" : "}}}}")
    return json
}

extension Publication {
    /// Homie has a datatype for texts of which there are only some.
    fileprivate var datatypeName: StaticString {
        if case .choices? = about.format?.rule { "enum" } else { datatype.name }
    }
}

/// A description and its version, which goes up whenever the rest changes.
func versioned(_ described: Bytes, _ version: UInt64) -> Bytes {
    var json = Bytes(#"{"homie":"5.0","version":"#)
    json.add(version)
    json += described
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
