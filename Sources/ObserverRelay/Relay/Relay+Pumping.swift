// SPDX-License-Identifier: MIT

import CRelay

/// What goes out.
extension Relay {
    /// Sends what waits, or has the network thread do it.
    func hurry() {
        guard relay_lock_try(turnLock) else { return wake() }
        defer { relay_lock_leave(turnLock) }
        let now = relay_milliseconds()
        let isBurst = withLock {
            hurried = (now, hurried.milliseconds == now ? hurried.count + 1 : 1)
            return hurried.count > mostHurried
        }
        if isBurst { return wake() }
        let wasProven = unproven.isEmpty
        pump()
        let wakes = withLock {
            isAsleep = true
            return !outgoing.isEmpty
        }
        if wakes || lostReason != nil || engine.isFull || wasProven && !unproven.isEmpty { wake() }
    }

    func pump() {
        let cancelled = withLock { () -> [Bytes]? in
            isAsleep = false
            defer { cancellations = [] }
            return isConnected ? cancellations : nil
        }
        guard let cancelled else { return }
        for topic in cancelled { engine.unsubscribe(topic) }
        subscribe()
        withLock { announceReady() }
        while lostReason == nil, !engine.isFull {
            let batch = withLock { takeBatch() }
            if batch.isEmpty { break }
            for parcel in batch { send(parcel) }
        }
        withLock {
            guard !isReady, !owesReady, outgoing.isEmpty, unacknowledged.isEmpty, subscribing == nil,
                toComplete.isEmpty, lostReason == nil, !engine.isAwaiting
            else { return }
            isReady = true
            sayReady()
        }
    }

    /// Under the lock. What is to be sent next, several at once: the lock is what threads that send meanwhile wait for.
    private func takeBatch() -> [Parcel] {
        counts.sent += sent
        sent = 0
        var batch: [Parcel] = []
        var reliable = unacknowledged.count
        while batch.count < engine.mostInBatch, reliable < mostUnacknowledged, let message = outgoing.popFirst() {
            guard let parcel = pack(message) else { continue }
            if parcel.isReliable { reliable += 1 }
            batch.append(parcel)
        }
        return batch
    }

    /// Under the lock. `nil`: there is nothing to say.
    private func pack(_ message: Outgoing) -> Parcel? {
        switch message {
        case .state(let state):
            ownState = state
            return Parcel(message, attribute("$state")!, .bytes(Bytes(state)))
        case .description:
            isDescriptionWaiting = false
            let described = describe(device: settings.device!, title: settings.title, publications: publications)
            // Goes up with what is described, and with nothing else; after another start of the program, too.
            if !described.elementsEqual(ownDescribed) { version = max(version + 1, UInt64(relay_wall_milliseconds())) }
            ownDescribed = described
            let description = versioned(described, version)
            ownDescription = description
            return Parcel(message, attribute("$description")!, .bytes(description))
        case .discovery: return told().map { Parcel(message, $0.topic, .bytes($0.payload)) }
        case .value(let publication):
            publication.isWaiting = false
            // The first is acknowledged, which shows whether the broker takes it; those that follow one another make no
            // promise that the next would not replace. When it is quiet, the last one is sent once more.
            let isReliable = publication.isRepeated || !publication.isAccepted
            if !publication.isRepeated { publication.seq += 1 }
            publication.isRepeated = false
            return Parcel(
                message, publication.topic, .value(publication.value, publication.datatype), isReliable: isReliable,
                seq: publication.seq)
        case .event(let publication, let value, let seq):
            return Parcel(
                message, publication.topic, .value(value, publication.datatype), isRetained: false, seq: seq)
        case .request(let mirror, let value, let number):
            return Parcel(
                message, (mirror.topic.dropLast() + Bytes("/set")).terminated, .value(value, mirror.datatype),
                isRetained: false, seq: number)
        case .attribute(let topic, let payload): return Parcel(message, topic, .bytes(payload))
        case .nothing(let topic): return Parcel(message, topic, .bytes([]))
        }
    }

    private func send(_ parcel: Parcel) {
        let payload: Bytes
        switch parcel.content {
        case .value(let value, let datatype): payload = value.payload(as: datatype)!
        case .bytes(let bytes): payload = bytes
        }
        let id = engine.publish(
            parcel.message, parcel.topic, payload, isReliable: parcel.isReliable, isRetained: parcel.isRetained,
            seq: parcel.seq)
        if id < 0 {
            if lostReason == nil {
                withLock { notTaken(parcel) }
            } else {
                unacknowledged.append((id, parcel.message))
            }
        } else {
            sent += 1
            if parcel.isReliable {
                unacknowledged.append((id, parcel.message))
            } else if case .value(let publication) = parcel.message, engine.isLossy {
                prove(publication)
            }
        }
    }

    /// Under the lock. It is larger than what the broker takes, for example.
    private func notTaken(_ parcel: Parcel) {
        if case .request(let mirror, _, let number) = parcel.message {
            acknowledged(number, of: mirror, refused: Bytes("the broker does not take it"), isUnheard: false)
        } else {
            drop(parcel.topic, "what the broker does not take")
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

/// A message on its way to the engine.
private struct Parcel {
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
