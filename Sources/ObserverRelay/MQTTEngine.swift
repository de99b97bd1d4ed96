// SPDX-License-Identifier: MIT

import CRelay

/// MQTT 5 by libmosquitto. Each connection is one of its own to libmosquitto, which so never sends anything again that
/// is no longer true.
final class MQTTEngine: @unchecked Sendable {
    // Used on the network thread alone.
    private var connection: OpaquePointer?
    private unowned(unsafe) var relay: Relay!

    func connect(_ relay: Relay) -> Bytes? {
        self.relay = relay
        let settings = relay.settings
        guard case .mqtt(let host, let port, let isEncrypted) = settings.address else { return nil }
        let client = (Bytes("swo-") + relay.author)
        let will = Bytes("lost").terminated
        var raw = relay_mqtt_settings()
        var problem = Bytes(repeating: 0, count: 512)
        let context = Unmanaged.passUnretained(relay).toOpaque()
        raw.port = port
        raw.keep_alive = settings.keepAlive
        raw.encrypted = isEncrypted
        withCTexts([
            host, settings.user, settings.password, settings.authorities, settings.certificate, settings.key, client,
            relay.attribute("$state"), will, relay.author,
        ]) { texts in
            raw.host = texts[0]
            raw.user = texts[1]
            raw.password = texts[2]
            raw.ca_file = texts[3]
            raw.certificate_file = texts[4]
            raw.key_file = texts[5]
            raw.client = texts[6]
            raw.will_topic = texts[7]
            raw.will = texts[8]
            raw.author = texts[9]
            var events = eventsForRelays()
            connection = problem.withUnsafeMutableBytes {
                relay_mqtt_connect(
                    &raw, &events, context, $0.baseAddress!.assumingMemoryBound(to: CChar.self), $0.count)
            }
        }
        return connection == nil ? problem.withCText { Bytes(copying: $0) } : nil
    }

    func publish(_ topic: Bytes, _ payload: Bytes, isReliable: Bool, isRetained: Bool, seq: UInt64?) -> Int32 {
        guard let connection else { return -1 }
        var number = Bytes()
        if let seq { number.add(seq) }
        number.append(0)
        return topic.withCText { topic in
            number.withCText { number in
                relay.author.withCText { author in
                    payload.withUnsafeBytes {
                        relay_mqtt_publish(
                            connection, topic, $0.baseAddress, $0.count, isReliable, isRetained, author,
                            seq == nil ? nil : number)
                    }
                }
            }
        }
    }

    func subscribe(_ topics: [Bytes], isReliable: Bool, withRetained: Bool, number: UInt32) -> Int32 {
        guard let connection else { return -1 }
        return withCTexts(topics.map { Optional($0) }) { texts in
            texts.withUnsafeBufferPointer {
                relay_mqtt_subscribe(connection, $0.baseAddress, $0.count, isReliable, withRetained, number)
            }
        }
    }

    func unsubscribe(_ topic: Bytes) {
        guard let connection else { return }
        _ = topic.withCText { relay_mqtt_unsubscribe(connection, $0) }
    }

    var isFull: Bool { connection.map { relay_mqtt_is_full($0) } ?? true }

    func turn(event: Int32, milliseconds: Int32) {
        if let connection { relay_mqtt_turn(connection, event, milliseconds) }
    }

    func disconnect(isPolite: Bool) {
        if let connection { relay_mqtt_free(connection, isPolite) }
        connection = nil
    }
}

/// Calls `body` with texts that end with zeros, as C has them.
private func withCTexts<Result>(
    _ texts: [Bytes?], _ body: ([UnsafePointer<CChar>?]) -> Result
) -> Result {
    // One block, because closures nest no deeper than what is known when this is compiled.
    var block = Bytes()
    var offsets: [Int?] = []
    for text in texts {
        offsets.append(text == nil ? nil : block.count)
        if let text { block += text }
    }
    block.append(0)
    return block.withCText { block in body(offsets.map { $0.map { block + $0 } }) }
}

// A function, because a constant would have to be initialised.
private func eventsForRelays() -> relay_mqtt_events {
    relay_mqtt_events(
        connected: { relay(behind: $0).connected() },
        lost: { relay(behind: $0).lost(Bytes(copying: $1!)) },
        received: { context, topic, payload, size, isRetained, subscription, author, seq in
            var count = 0
            while topic![count] != 0 { count += 1 }
            relay(behind: context).received(
                Incoming(
                    topic: UnsafeRawBufferPointer(start: topic, count: count),
                    payload: UnsafeRawBufferPointer(start: payload, count: size), isRetained: isRetained,
                    subscription: subscription, author: author.map { number(of: $0, base: 16) } ?? 0,
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
