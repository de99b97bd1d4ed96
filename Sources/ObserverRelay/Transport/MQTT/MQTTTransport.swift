// SPDX-License-Identifier: MIT

import CRelay

/// MQTT 5 by libmosquitto. Each connection is one of its own to libmosquitto, which so never sends anything again that
/// is no longer true.
final class MQTTTransport: @unchecked Sendable {
    // Guarded by the relay's loop lock.
    private var connection: OpaquePointer?
    private unowned(unsafe) var relay: Relay!

    func connect(_ relay: Relay) -> Bytes? {
        self.relay = relay
        let settings = relay.settings
        guard case .mqtt(let host, let port, let isEncrypted) = settings.address else { return nil }
        let texts = CTexts()
        let problem = UnsafeMutablePointer<CChar>.allocate(capacity: 512)
        var raw = relay_mqtt_settings()
        raw.host = texts.add(host)
        raw.port = port
        raw.keep_alive = settings.keepAlive
        raw.largest_payload = settings.largestPayload
        raw.encrypted = isEncrypted
        raw.user = texts.add(settings.user)
        raw.password = texts.add(settings.password)
        raw.ca_file = texts.add(settings.authorities)
        raw.certificate_file = texts.add(settings.certificate)
        raw.key_file = texts.add(settings.key)
        var client = Bytes("swo-")
        client.append(contentsOf: relay.author)
        raw.client = texts.add(client)
        raw.will_topic = texts.add(relay.attribute("$state"))
        raw.will = texts.add(Bytes("lost").terminated)
        raw.author = texts.add(relay.author)
        var events = eventsForRelays()
        connection = relay_mqtt_connect(&raw, &events, Unmanaged.passUnretained(relay).toOpaque(), problem, 512)
        texts.free()
        defer { problem.deallocate() }
        return connection == nil ? Bytes(copying: problem) : nil
    }

    func publish(_ topic: Bytes, _ payload: Bytes, isReliable: Bool, isRetained: Bool, seq: UInt64?) -> Int32 {
        guard let connection else { return -1 }
        return topic.withCText { topic in
            relay.author.withCText { author in
                payload.withUnsafeBytes {
                    relay_mqtt_publish(
                        connection, topic, $0.baseAddress, $0.count, isReliable, isRetained, author, seq ?? 0)
                }
            }
        }
    }

    func subscribe(_ topics: [Bytes], isReliable: Bool, withRetained: Bool, number: UInt32) -> Int32 {
        guard let connection else { return -1 }
        let texts = CTexts()
        var pointers: [UnsafePointer<CChar>?] = []
        for topic in topics { pointers.append(texts.add(topic)) }
        // Each has a number, so that of several subscriptions a message says which it is for.
        let id = relay_mqtt_subscribe(
            connection, pointers, pointers.count, isReliable, withRetained, number == ownNumber, number + 1)
        texts.free()
        return id
    }

    func unsubscribe(_ topic: Bytes) {
        guard let connection else { return }
        _ = topic.withCText { relay_mqtt_unsubscribe(connection, $0) }
    }

    var isFull: Bool { connection.map { relay_mqtt_is_full($0) } ?? true }

    func step(event: Int32, milliseconds: Int32) -> Bool {
        connection.map { relay_mqtt_step($0, event, relay.loopLock, milliseconds) } ?? false
    }

    func disconnect(isPolite: Bool) {
        if let connection { relay_mqtt_free(connection, isPolite) }
        connection = nil
    }
}

/// Copies of texts that end with zeros, as C has them, until they are freed.
private final class CTexts {
    private var copies: [UnsafeMutablePointer<CChar>] = []

    func add(_ text: Bytes?) -> UnsafePointer<CChar>? {
        guard let text else { return nil }
        let copy = UnsafeMutablePointer<CChar>.allocate(capacity: text.count)
        for index in 0..<text.count { copy[index] = CChar(bitPattern: text[index]) }
        copies.append(copy)
        return UnsafePointer(copy)
    }

    func free() {
        for copy in copies { copy.deallocate() }
        copies = []
    }
}

// A function, because a constant would have to be initialised.
private func eventsForRelays() -> relay_mqtt_events {
    relay_mqtt_events(
        connected: { relay(behind: $0).connected() },
        lost: { relay(behind: $0).lost(Bytes(copying: $1!)) },
        received: { context, topic, count, payload, size, isRetained, subscription, author, seq in
            relay(behind: context).received(
                Incoming(
                    topic: UnsafeRawBufferPointer(start: topic, count: count),
                    payload: UnsafeRawBufferPointer(start: payload, count: size), isRetained: isRetained,
                    subscription: subscription &- 1, author: author.map { number(of: $0, base: 16) } ?? 0,
                    seq: seq.map { number(of: $0, base: 10) } ?? 0))
        },
        published: { context, id, refused, isUnheard in
            relay(behind: context).acknowledged(
                Int32(id), refused: refused.map { Bytes(copying: $0) }, isUnheard: isUnheard)
        },
        subscribed: { context, id, refused in
            relay(behind: context).subscribed(Int32(id), refused: refused.map { Bytes(copying: $0) })
        })
}

private func relay(behind context: UnsafeMutableRawPointer?) -> Relay {
    Unmanaged<Relay>.fromOpaque(context!).takeUnretainedValue()
}

/// The number in a text of others; 0: none. Authors that are no numbers of ours get one, too.
private func number(of text: UnsafePointer<CChar>, base: UInt64) -> UInt64 {
    var number: UInt64 = 0
    var index = 0
    while text[index] != 0 {
        let character = UInt8(bitPattern: text[index])
        switch character {
        case 48...57: number = number &* base &+ UInt64(character - 48)
        case 97...102 where base == 16: number = number &* base &+ UInt64(character - 87)
        default:
            if base == 10 { return 0 }
            number = number &* 31 &+ UInt64(character)
        }
        index += 1
    }
    return number
}
