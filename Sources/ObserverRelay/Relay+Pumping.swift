// SPDX-License-Identifier: MIT

/// What goes out, on the network thread.
extension Relay {
    func pump() {
        guard withLock({ isConnected }) else { return }
        for topic in withLock({
            defer { cancellations = [] }
            return cancellations
        }) { engine.unsubscribe(topic) }
        subscribe()
        while lostReason == nil, !engine.isFull, unacknowledged.count < mostUnacknowledged,
            let message = withLock({ outgoing.popFirst() })
        {
            send(message)
        }
        withLock {
            guard !isReady, outgoing.isEmpty, unacknowledged.isEmpty, subscribing == nil, toComplete.isEmpty,
                lostReason == nil, !engine.isAwaiting
            else { return }
            isReady = true
            say("ready", engine.remark)
        }
    }

    private func send(_ message: Outgoing) {
        switch message {
        case .state(let state): send(message, attribute("$state")!, Bytes(state), isReliable: true, isRetained: true)
        case .description:
            let description = withLock { () -> Bytes in
                isDescriptionWaiting = false
                return describe(device: settings.device!, title: settings.title, publications: publications)
            }
            send(message, attribute("$description")!, description, isReliable: true, isRetained: true)
        case .value(let publication):
            let (value, isReliable) = withLock { () -> (Value, Bool) in
                publication.isWaiting = false
                publication.seq += 1
                return (publication.value, !publication.isAccepted)
            }
            // The first is acknowledged, which shows whether the broker takes it; those that follow one another make no
            // promise that the next would not replace.
            send(
                message, publication.topic, value.payload(as: publication.datatype)!, isReliable: isReliable,
                isRetained: true, seq: publication.seq)
        case .event(let publication, let value, let seq):
            send(
                message, publication.topic, value.payload(as: publication.datatype)!, isReliable: true,
                isRetained: false, seq: seq)
        case .request(let mirror, let value):
            send(
                message, (mirror.topic.dropLast() + Bytes("/set")).terminated, value.payload(as: mirror.datatype)!,
                isReliable: true, isRetained: false)
        case .nothing(let topic): send(message, topic, [], isReliable: true, isRetained: true)
        }
    }

    private func send(
        _ message: Outgoing, _ topic: Bytes, _ payload: Bytes, isReliable: Bool, isRetained: Bool, seq: UInt64? = nil
    ) {
        let id = engine.publish(
            message, topic, payload, isReliable: isReliable, isRetained: isRetained, seq: seq)
        if id < 0 {
            if lostReason == nil {
                withLock { drop(topic, "what the broker does not take") }
            } else {
                unacknowledged.append((id, message))
            }
        } else {
            withLock { counts.sent += 1 }
            if isReliable { unacknowledged.append((id, message)) }
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
            case .state, .description, .nothing:
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

    var number: UInt32 { if case .watcher(let watcher) = self { watcher.number } else { 0 } }

    func goes(with other: Subscription) -> Bool {
        isReliable == other.isReliable && hasRetained == other.hasRetained && number == other.number
    }
}
