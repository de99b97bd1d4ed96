// SPDX-License-Identifier: MIT

extension Relay {
    /// Under the lock. Where and what Home Assistant is told of the device. `nil` before there is something to tell:
    /// nothing would have it forget what it was told by the program that this one follows.
    func told() -> (topic: Bytes, payload: Bytes)? {
        guard let prefix = settings.discovery, let device = settings.device else { return nil }
        if publications.isEmpty && withdrawn.isEmpty { return nil }
        var topic = prefix
        topic.add("/device/")
        topic += device
        topic.add("/config")
        return (
            topic.terminated,
            discovery(device: device, title: settings.title, publications: publications, withdrawn: withdrawn)
        )
    }
}

/// What Home Assistant is told of a device, as JSON: which of its entities stands for which property.
///
/// - Parameter withdrawn: what it was told before, which names the platform alone by now, for that takes it away.
private func discovery(device: Bytes, title: Bytes?, publications: [Publication], withdrawn: [Publication]) -> Bytes {
    // Nothing takes away all.
    if publications.isEmpty { return [] }
    let state = (root + device).joined(by: UInt8(ascii: "/"), to: Bytes("$state"))
    var json = Bytes(#"{"dev":{"ids":"#)
    json.addQuoted(device[...])
    json.add(#","name":"#)
    json.addQuoted((title ?? device)[...])
    json.add(#"},"o":{"name":"SwiftObserver"},"availability":[{"topic":"#)
    json.addQuoted(state[...])
    // A device that is disconnected, or about to be there, is no more there than a lost one.
    json.add(#","payload_available":"ready","payload_not_available":"lost","value_template":"#)
    json.add(#""{{ 'ready' if value in ('ready', 'sleeping') else 'lost' }}"}],"cmps":{"#)
    let sorted = (publications + withdrawn).sorted { $0.path.lexicographicallyPrecedes($1.path) }
    for (index, publication) in sorted.enumerated() {
        if index > 0 { json.add(",") }
        json.addQuoted(publication.component[...])
        json.add(#":{"p":""#)
        json.add(publication.platform)
        json.add("\"")
        if !publication.isWithdrawn { json.add(entity: publication, of: device) }
        json.add("}")
    }
    json.add("}}")
    return json
}

private func written(_ number: Value) -> Bytes {
    if case .integer = number { number.payload(as: .integer)! } else { number.payload(as: .float)! }
}

extension Publication {
    fileprivate var isNumber: Bool {
        switch datatype {
        case .integer, .float: true
        case .boolean, .string: false
        }
    }

    /// The name of its entity: `node_property`. Names have no `_`, so two of them stay two.
    fileprivate var component: Bytes { path.map { $0 == UInt8(ascii: "/") ? UInt8(ascii: "_") : $0 } }

    /// What kind of entity stands for it.
    fileprivate var platform: StaticString {
        if !isRetained { return "event" }
        switch datatype {
        case .boolean: return set == nil ? "binary_sensor" : "switch"
        case .integer, .float: return set == nil ? "sensor" : "number"
        case .string:
            if set == nil { return "sensor" }
            if case .choices? = about.format?.rule { return "select" }
            return "text"
        }
    }
}

extension Array where Element == UInt8 {
    fileprivate mutating func add(entity publication: Publication, of device: Bytes) {
        add(#","unique_id":"#)
        addQuoted(device.joined(by: UInt8(ascii: "_"), to: publication.component)[...])
        add(#","name":"#)
        let name = publication.path.map { $0 == UInt8(ascii: "/") ? UInt8(ascii: " ") : $0 }
        addQuoted((publication.about.title ?? name)[...])
        add(#","state_topic":"#)
        addQuoted(publication.topic.dropLast())
        if publication.set != nil {
            add(#","command_topic":"#)
            addQuoted(publication.requests.dropLast())
        }
        guard publication.isRetained else {
            add(#","event_types":["sent"],"value_template":"#)
            add(#""{{ {'event_type': 'sent', 'value': value} | to_json }}""#)
            return
        }
        if let unit = publication.about.unit, publication.isNumber {
            add(#","unit_of_measurement":"#)
            addQuoted(unit[...])
        }
        switch publication.datatype {
        case .boolean: add(#","payload_on":"true","payload_off":"false""#)
        // Without bounds Home Assistant takes 1 to 100.
        case .integer where publication.set != nil, .float where publication.set != nil:
            add(#","mode":"box""#)
            addRange(of: publication)
        // Shown as a curve, and not as words.
        case .integer, .float: add(#","state_class":"measurement""#)
        case .string:
            guard case .choices(let choices)? = publication.about.format?.rule else { break }
            if publication.set == nil { add(#","device_class":"enum""#) }
            add(#","options":["#)
            for (index, choice) in choices.enumerated() {
                if index > 0 { add(",") }
                addQuoted(choice[...])
            }
            add("]")
        }
    }

    private mutating func addRange(of publication: Publication) {
        var numbers: (step: Bytes?, least: Bytes?, most: Bytes?) = (nil, nil, nil)
        switch publication.about.format?.rule {
        case .integers(let least, let most, let step)?:
            numbers.step = step.map { written(.integer($0)) }
            numbers.least = least.map { written(.integer($0)) }
            numbers.most = most.map { written(.integer($0)) }
        case .floats(let least, let most, let step)?:
            numbers.step = step.map { written(.float($0)) }
            numbers.least = least.map { written(.float($0)) }
            numbers.most = most.map { written(.float($0)) }
        default: break
        }
        let isInteger = if case .integer = publication.datatype { true } else { false }
        add(#","step":"#)
        self += numbers.step ?? Bytes(isInteger ? "1" : "0.001")
        add(#","min":"#)
        self += numbers.least ?? Bytes("-9007199254740991")
        add(#","max":"#)
        self += numbers.most ?? Bytes("9007199254740991")
    }
}
