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
        pump()
        let wakes = withLock {
            isAsleep = true
            return !outgoing.isEmpty
        }
        if wakes || lostReason != nil || engine.isFull { wake() }
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
        while lostReason == nil, !engine.isFull {
            let batch = withLock { takeBatch() }
            if batch.isEmpty { break }
            for parcel in batch { send(parcel) }
        }
        withLock {
            guard !isReady, outgoing.isEmpty, unacknowledged.isEmpty, subscribing == nil, toComplete.isEmpty,
                lostReason == nil, !engine.isAwaiting
            else { return }
            isReady = true
            say("ready", engine.remark)
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
        case .state(let state): return Parcel(message, attribute("$state")!, .bytes(Bytes(state)))
        case .description:
            isDescriptionWaiting = false
            let description = describe(device: settings.device!, title: settings.title, publications: publications)
            return Parcel(message, attribute("$description")!, .bytes(description))
        case .discovery: return told().map { Parcel(message, $0.topic, .bytes($0.payload)) }
        case .value(let publication):
            publication.isWaiting = false
            publication.seq += 1
            // The first is acknowledged, which shows whether the broker takes it; those that follow one another make no
            // promise that the next would not replace.
            return Parcel(
                message, publication.topic, .value(publication.value, publication.datatype),
                isReliable: !publication.isAccepted, seq: publication.seq)
        case .event(let publication, let value, let seq):
            return Parcel(
                message, publication.topic, .value(value, publication.datatype), isRetained: false, seq: seq)
        case .request(let mirror, let value):
            return Parcel(
                message, (mirror.topic.dropLast() + Bytes("/set")).terminated, .value(value, mirror.datatype),
                isRetained: false)
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
                withLock { drop(parcel.topic, "what the broker does not take") }
            } else {
                unacknowledged.append((id, parcel.message))
            }
        } else {
            sent += 1
            if parcel.isReliable { unacknowledged.append((id, parcel.message)) }
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
            case .request(let mirror, _):
                guard refused != nil || isUnheard else { return }
                drop(
                    mirror.topic, "a value that was asked for",
                    refused ?? Bytes("it cannot be set, or its owner is gone"))
                restore(mirror)
            case .state, .description, .discovery, .nothing:
                if let refused { drop(attribute("$state")!, "what the broker refused", refused) }
            }
        }
    }

    // MARK: - Subscribing

    /// Subscribes in portions, each when the one before has been answered; the answer to the next one shows that what
    /// the broker retains has come, and so that it retains nothing of what has not come.
    private func subscribe() {
        guard subscribing == nil else { return }
        let portion = withLock { () -> [Subscription] in
            var portion: [Subscription] = []
            while portion.count < mostSubscriptions, let next = subscriptions.popFirst() {
                if case .mirror(let mirror) = next, mirror.isForgotten { continue }
                if let first = portion.first, !first.goes(with: next) {
                    subscriptions.putBack(next)
                    break
                }
                portion.append(next)
                if case .watcher = next { break }
            }
            return portion
        }
        guard let first = portion.first else {
            guard let last = toComplete.last else { return }
            let id = engine.subscribe([last.topic], isReliable: false, withRetained: false, number: 0)
            subscribing = (id, [])
            return
        }
        var mirrors = portion.compactMap { if case .mirror(let mirror) = $0, mirror.isRetained { mirror } else { nil } }
        if engine.saysWhatIsNull { mirrors = [] }
        withLock { for mirror in mirrors { mirror.isAwaited = true } }
        let id = engine.subscribe(
            portion.map { topic(of: $0) }, isReliable: first.isReliable, withRetained: first.hasRetained,
            number: first.number)
        subscribing = (id, mirrors)
    }

    private func topic(of subscription: Subscription) -> Bytes {
        switch subscription {
        case .mirror(let mirror): mirror.topic
        case .requests(let publication): publication.requests
        case .watcher(let watcher): watcher.filter
        case .ownState: attribute("$state")!
        }
    }

    func subscribed(_ id: Int32, refused: Bytes?) {
        guard let subscribing, subscribing.id == id else { return }
        self.subscribing = nil
        withLock {
            if let refused {
                report(Bytes("the broker refused a subscription"), of: subscribing.mirrors.first?.topic ?? [], refused)
            }
            for mirror in toComplete where mirror.isAwaited {
                mirror.isAwaited = false
                // It retains nothing: the value has become null meanwhile.
                if case .null? = mirror.value { continue }
                mirror.value = .null
                mirror.author = 0
                restore(mirror)
            }
        }
        toComplete = subscribing.mirrors
    }

    /// Asks for all values again.
    func fetchAll() {
        suspiciousSince = 0
        withLock {
            guard isConnected else { return }
            for target in targets.all {
                if case .mirror(let mirror) = target, mirror.isRetained { subscriptions.append(.mirror(mirror)) }
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

extension Subscription {
    /// Values are given up for newer ones, everything else counts.
    var isReliable: Bool { if case .mirror(let mirror) = self { !mirror.isRetained } else { number == 0 } }

    var hasRetained: Bool {
        switch self {
        case .mirror(let mirror): mirror.isRetained
        case .watcher, .ownState: true
        case .requests: false
        }
    }

    var number: UInt32 { if case .watcher(let watcher) = self { watcher.subscription } else { 0 } }

    func goes(with other: Subscription) -> Bool {
        isReliable == other.isReliable && hasRetained == other.hasRetained && number == other.number
    }
}
