// SPDX-License-Identifier: MIT

import CRelay

/// What goes out.
extension Relay {
    /// Sends what waits, or has the network thread do it.
    func flushOrWake() {
        guard relay_lock_try(loopLock) else { return wake() }
        defer { relay_lock_leave(loopLock) }
        let now = relay_milliseconds()
        let isBurst = withLock {
            flushed = (now, flushed.milliseconds == now ? flushed.count + 1 : 1)
            return flushed.count > mostFlushed
        }
        if isBurst { return wake() }
        let wasProven = unproven.isEmpty
        flush()
        let wakes = withLock {
            isAsleep = true
            return !outgoing.isEmpty
        }
        if wakes || lostReason != nil || transport.isFull || wasProven && !unproven.isEmpty { wake() }
    }

    func flush() {
        let cancelled = withLock { () -> [Bytes]? in
            isAsleep = false
            defer { cancellations = [] }
            return isConnected ? cancellations : nil
        }
        guard let cancelled else { return }
        for topic in cancelled { transport.unsubscribe(topic) }
        subscribe()
        withLock { announceReady() }
        while lostReason == nil, !transport.isFull {
            let batch = withLock { takeBatch() }
            if batch.isEmpty { break }
            for packet in batch { send(packet) }
        }
        withLock {
            guard subscriptions.isEmpty, subscribing == nil, toComplete.isEmpty, lostReason == nil,
                !transport.isAwaiting
            else { return }
            if isReady {
                if isComplete { return }
                sayAgain()
            } else {
                guard !owesReady, outgoing.isEmpty, unacknowledged.isEmpty else { return }
                isReady = true
                sayReady()
            }
            isComplete = true
            readyNumber = said.number
        }
    }

    /// Under the lock. What is to be sent next, several at once: the lock is what threads that send meanwhile wait for.
    private func takeBatch() -> [Packet] {
        counts.sent += sent
        sent = 0
        var batch: [Packet] = []
        var reliable = unacknowledged.count
        while batch.count < transport.mostInBatch, reliable < mostUnacknowledged, let message = outgoing.popFirst() {
            guard let packet = makePacket(for: message) else { continue }
            if packet.isReliable { reliable += 1 }
            batch.append(packet)
        }
        return batch
    }

    /// Under the lock. `nil`: there is nothing to say.
    private func makePacket(for message: Outgoing) -> Packet? {
        switch message {
        case .state(let state):
            // Something was published since then.
            if owesReady, Bytes(state).elementsEqual(Bytes(word)) { return nil }
            ownState = state
            return Packet(message, attribute("$state")!, .bytes(Bytes(state)))
        case .description:
            isDescriptionWaiting = false
            let described = describe(device: settings.device!, title: settings.title, publications: publications)
            // Goes up with what is described, and with nothing else; after another start of the program, too.
            if !described.elementsEqual(ownDescribed) { version = max(version + 1, UInt64(relay_wall_milliseconds())) }
            ownDescribed = described
            let description = versioned(described, version)
            ownDescription = description
            return Packet(message, attribute("$description")!, .bytes(description))
        case .discovery: return told().map { Packet(message, $0.topic, .bytes($0.payload)) }
        case .value(let publication):
            publication.isWaiting = false
            // The first is acknowledged, which shows whether the broker takes it; those that follow one another make no
            // promise that the next would not replace. When it is quiet, the last one is sent once more.
            let isReliable = publication.isRepeated || !publication.isAccepted
            if !publication.isRepeated { publication.seq += 1 }
            publication.isRepeated = false
            return Packet(
                message, publication.topic, .value(publication.value, publication.datatype), isReliable: isReliable,
                seq: publication.seq)
        case .event(let publication, let value, let seq):
            return Packet(
                message, publication.topic, .value(value, publication.datatype), isRetained: false, seq: seq)
        case .request(let mirror, let value, let number):
            return Packet(
                message, (mirror.topic.dropLast() + Bytes("/set")).terminated, .value(value, mirror.datatype),
                isRetained: false, seq: number)
        case .attribute(let topic, let payload): return Packet(message, topic, .bytes(payload))
        case .nothing(let topic): return Packet(message, topic, .bytes([]))
        }
    }

    private func send(_ packet: Packet) {
        let payload: Bytes
        switch packet.content {
        case .value(let value, let datatype): payload = value.payload(as: datatype)!
        case .bytes(let bytes): payload = bytes
        }
        packet.topic.withUnsafeBytes { relay_probe_out($0.baseAddress, $0.count, payload.count) }
        let id = transport.publish(
            packet.message, packet.topic, payload, isReliable: packet.isReliable, isRetained: packet.isRetained,
            seq: packet.seq)
        if id < 0 {
            if lostReason == nil {
                withLock { notTaken(packet) }
            } else {
                unacknowledged.append((id, packet.message))
            }
        } else {
            sent += 1
            if packet.isReliable {
                unacknowledged.append((id, packet.message))
            } else if case .value(let publication) = packet.message, transport.isLossy {
                prove(publication)
            }
        }
    }

    /// Under the lock. It is larger than what the broker takes, for example.
    private func notTaken(_ packet: Packet) {
        if case .request(let mirror, _, let number) = packet.message {
            acknowledged(number, of: mirror, refused: Bytes("the broker does not take it"), isUnheard: false)
        } else {
            drop(packet.topic, "what the broker does not take")
        }
    }

    func acknowledged(_ id: Int32, refused: Bytes?, isUnheard: Bool) {
        guard let index = unacknowledged.firstIndex(where: { $0.id == id }) else { return }
        let message = unacknowledged.remove(at: index).message
        withLock {
            switch message {
            case .value(let publication):
                publication.isAccepted = refused == nil
                if let refused { drop(publication.topic, "a value that the broker refused", refused) }
            case .event(let publication, _, _):
                if let refused { drop(publication.topic, "an event that the broker refused", refused) }
            case .request(let mirror, _, let number):
                acknowledged(number, of: mirror, refused: refused, isUnheard: isUnheard)
            case .attribute(let topic, _), .nothing(let topic):
                if let refused { drop(topic, "what the broker refused", refused) }
            case .state, .description, .discovery:
                if let refused { drop(attribute("$state")!, "what the broker refused", refused) }
            }
        }
    }
}

/// A message on its way to the transport.
private struct Packet {
    enum Content {
        case value(Value, Datatype)
        case bytes(Bytes)
    }

    let message: Outgoing
    let topic: Bytes
    let content: Content
    let isReliable: Bool
    let isRetained: Bool
    let seq: UInt64?

    init(
        _ message: Outgoing, _ topic: Bytes, _ content: Content, isReliable: Bool = true, isRetained: Bool = true,
        seq: UInt64? = nil
    ) {
        self.message = message
        self.topic = topic
        self.content = content
        self.isReliable = isReliable
        self.isRetained = isRetained
        self.seq = seq
    }
}
