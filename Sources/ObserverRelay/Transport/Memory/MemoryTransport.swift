// SPDX-License-Identifier: MIT

import CRelay

/// A broker inside the process, for tests: what relays with the address `memory:name` exchange. It retains what is
/// published as long as one of them is connected.
private final class MemoryBroker {
    let name: Bytes
    var retained = Table<MemoryMessage>()
    var clients: [MemoryTransport] = []

    init(name: Bytes) { self.name = name }

    func publish(_ message: MemoryMessage, isRetained: Bool) {
        if isRetained {
            _ = retained.remove(message.topic)
            if !message.payload.isEmpty { retained.insert(message, at: message.topic) }
        }
        for client in clients { client.offer(message) }
    }
}

private final class MemoryMessage {
    let topic: Bytes
    let payload: Bytes
    let author: UInt64
    let seq: UInt64

    init(topic: Bytes, payload: Bytes, author: UInt64, seq: UInt64) {
        self.topic = topic
        self.payload = payload
        self.author = author
        self.seq = seq
    }
}

private final class MemoryBrokers {
    var all: [MemoryBroker] = []
}

/// Calls `body` with all brokers, under their lock. They are in C's hands, because a global variable of Swift would have
/// to be initialised.
private func withBrokers<Result>(_ body: (MemoryBrokers) -> Result) -> Result {
    relay_shared_enter()
    defer { relay_shared_leave() }
    let shared = relay_shared_brokers()
    let brokers = shared.map { Unmanaged<MemoryBrokers>.fromOpaque($0).takeUnretainedValue() } ?? MemoryBrokers()
    let result = body(brokers)
    if shared == nil, !brokers.all.isEmpty {
        relay_share_brokers(Unmanaged.passRetained(brokers).toOpaque())
    } else if shared != nil, brokers.all.isEmpty {
        relay_share_brokers(nil)
        Unmanaged.passUnretained(brokers).release()
    }
    return result
}

final class MemoryTransport: @unchecked Sendable {
    private enum Event {
        case connected
        case message(MemoryMessage, isRetained: Bool, subscription: UInt32)
        case acknowledged(Int32, isUnheard: Bool)
        case subscribed(Int32)
    }

    private let name: Bytes
    private unowned(unsafe) var relay: Relay!
    private var nextID: Int32 = 1

    // Guarded by the brokers' lock.
    private var broker: MemoryBroker?
    private var inbox: [Event] = []
    private var topics = Table<UInt32>()
    private var filters: [(filter: Bytes, number: UInt32)] = []

    init(broker: Bytes) { name = broker }

    func connect(_ relay: Relay) -> Bytes? {
        self.relay = relay
        withBrokers { brokers in
            var broker = brokers.all.first { $0.name.elementsEqual(name) }
            if broker == nil {
                broker = MemoryBroker(name: name)
                brokers.all.append(broker!)
            }
            broker!.clients.append(self)
            self.broker = broker
            inbox.append(.connected)
        }
        relay.wake()
        return nil
    }

    func publish(_ topic: Bytes, _ payload: Bytes, isRetained: Bool, seq: UInt64?) -> Int32 {
        nextID += 1
        let message = MemoryMessage(
            topic: Array(topic.dropLast()), payload: payload, author: relay.authorNumber, seq: seq ?? 0)
        withBrokers { _ in
            let isUnheard = broker?.clients.allSatisfy { !$0.wants(message.topic) } ?? true
            broker?.publish(message, isRetained: isRetained)
            inbox.append(.acknowledged(nextID, isUnheard: isUnheard))
        }
        relay.wake()
        return nextID
    }

    func subscribe(_ wanted: [Bytes], withRetained: Bool, number: UInt32) -> Int32 {
        nextID += 1
        withBrokers { _ in
            for text in wanted {
                let topic = Array(text.dropLast())
                let isFilter = topic.contains { $0 == UInt8(ascii: "#") || $0 == UInt8(ascii: "+") }
                if isFilter {
                    if !filters.contains(where: { $0.number == number && $0.filter.elementsEqual(topic) }) {
                        filters.append((topic, number))
                    }
                    guard withRetained, let broker else { continue }
                    for message in broker.retained.all where matches(message.topic, topic) {
                        inbox.append(.message(message, isRetained: true, subscription: number))
                    }
                } else {
                    if topics[topic] == nil { topics.insert(number, at: topic) }
                    if withRetained, let message = broker?.retained[topic] {
                        inbox.append(.message(message, isRetained: true, subscription: number))
                    }
                }
            }
            inbox.append(.subscribed(nextID))
        }
        relay.wake()
        return nextID
    }

    func unsubscribe(_ text: Bytes) {
        let topic = Array(text.dropLast())
        withBrokers { _ in
            _ = topics.remove(topic)
            filters.removeAll { $0.filter.elementsEqual(topic) }
        }
    }

    private func wants(_ topic: Bytes) -> Bool {
        topics[topic] != nil || filters.contains { matches(topic, $0.filter) }
    }

    /// Under the lock.
    fileprivate func offer(_ message: MemoryMessage) {
        let before = inbox.count
        if let number = topics[message.topic] {
            inbox.append(.message(message, isRetained: false, subscription: number))
        }
        for (filter, number) in filters where matches(message.topic, filter) {
            if number == ownNumber, message.author == relay.authorNumber { continue }
            inbox.append(.message(message, isRetained: false, subscription: number))
        }
        if inbox.count > before { relay.wake() }
    }

    func step(event: Int32, milliseconds: Int32) -> Bool {
        _ = relay_wait(event, -1, false, milliseconds)
        let events = withBrokers { _ in
            defer { inbox = [] }
            return inbox
        }
        for event in events {
            switch event {
            case .connected: relay.connected()
            case .acknowledged(let id, let isUnheard): relay.acknowledged(id, refused: nil, isUnheard: isUnheard)
            case .subscribed(let id): relay.subscribed(id, refused: nil)
            case .message(let message, let isRetained, let subscription):
                message.topic.withUnsafeBytes { topic in
                    message.payload.withUnsafeBytes { payload in
                        relay.received(
                            Incoming(
                                topic: topic, payload: payload, isRetained: isRetained, subscription: subscription,
                                author: message.author, seq: message.seq))
                    }
                }
            }
        }
        return false
    }

    func disconnect(isPolite: Bool) {
        guard let relay else { return }
        let will = relay.attribute("$state").map {
            MemoryMessage(topic: Array($0.dropLast()), payload: Bytes("lost"), author: relay.authorNumber, seq: 0)
        }
        withBrokers { brokers in
            broker?.clients.removeAll { $0.relay.authorNumber == relay.authorNumber }
            if !isPolite, let will { broker?.publish(will, isRetained: true) }
            brokers.all.removeAll { $0.clients.isEmpty }
            broker = nil
            inbox = []
            topics = Table()
            filters = []
        }
    }
}
