// SPDX-License-Identifier: MIT

import CRelay

/// What the broker is still to be asked for.
enum Subscription {
    case mirror(Mirror)
    case state(Device)
    case description(Device)
    case target(Mirror)
    case requests(Publication)
    case watcher(Watcher)
    /// What is said of the own device, and what its properties have.
    case ownAttributes
    case ownValues
}

/// On the network thread, or as `flushOrWake` has it.
extension Relay {
    /// Subscribes in portions, each when the one before has been answered; the answer to the next one shows that what
    /// the broker retains has come, and so that it retains nothing of what has not come.
    func subscribe() {
        var most = mostSubscriptions
        while subscribing == nil {
            let portion = withLock { takePortion(most) }
            guard let first = portion.first else {
                guard let last = toComplete.last else { return }
                subscribing = (ask(for: [last], isReliable: false, withRetained: false, number: 0), [])
                return
            }
            let id = ask(
                for: portion, isReliable: first.isReliable, withRetained: first.hasRetained, number: first.number)
            if id >= 0 || lostReason != nil {
                subscribing = (id, portion)
            } else if portion.count > 1 {
                // It is larger than what the broker takes: smaller ones may do.
                most = portion.count / 2
                withLock { for subscription in portion.reversed() { subscriptions.putBack(subscription) } }
            } else {
                most = mostSubscriptions
                withLock { refused(first, Bytes("it is too large")) }
            }
        }
    }

    private func ask(for portion: [Subscription], isReliable: Bool, withRetained: Bool, number: UInt32) -> Int32 {
        transport.subscribe(
            portion.map { topic(of: $0) }, isReliable: isReliable, withRetained: withRetained, number: number)
    }

    /// Under the lock. At most so many that go with one another.
    private func takePortion(_ most: Int) -> [Subscription] {
        var portion: [Subscription] = []
        while portion.count < most, let next = subscriptions.popFirst() {
            if next.isEnded { continue }
            if let first = portion.first, !first.goes(with: next) {
                subscriptions.putBack(next)
                break
            }
            portion.append(next)
            if next.number != 0 { break }
        }
        for subscription in portion { begin(subscription) }
        return portion
    }

    /// Under the lock.
    private func refused(_ subscription: Subscription, _ why: Bytes) {
        report(Bytes("the broker refused a subscription"), of: topic(of: subscription), why)
    }

    /// Under the lock.
    private func begin(_ subscription: Subscription) {
        switch subscription {
        case .mirror(let mirror): mirror.isAwaited = mirror.isRetained
        case .state(let device):
            device.isAwaited = true
            device.stateMirror?.isAwaited = true
        case .description(let device): device.descriptionMirror?.isAwaited = true
        default: break
        }
    }

    private func topic(of subscription: Subscription) -> Bytes {
        switch subscription {
        case .mirror(let mirror): mirror.topic
        case .state(let device): device.stateTopic
        case .description(let device): device.descriptionTopic
        case .target(let mirror): mirror.targetTopic
        case .requests(let publication): publication.requests
        case .watcher(let watcher): watcher.filter
        case .ownAttributes: attribute("+")!
        case .ownValues: attribute("+/+")!
        }
    }

    func subscribed(_ id: Int32, refused: Bytes?) {
        guard let subscribing, subscribing.id == id else { return }
        self.subscribing = nil
        withLock {
            if let refused, let first = subscribing.portion.first { self.refused(first, refused) }
            for subscription in toComplete { complete(subscription) }
        }
        toComplete = subscribing.portion.filter { $0.isComplete }
    }

    /// Under the lock. All that the broker retains has come.
    private func complete(_ subscription: Subscription) {
        if transport.saysWhatIsNull { return }
        switch subscription {
        case .mirror(let mirror): completeWithout(mirror)
        case .state(let device):
            if device.isAwaited { learnNothing(of: device) }
            if let mirror = device.stateMirror { completeWithout(mirror) }
        case .description(let device): if let mirror = device.descriptionMirror { completeWithout(mirror) }
        default: break
        }
    }

    /// It retains nothing: the value has become null meanwhile.
    private func completeWithout(_ mirror: Mirror) {
        guard mirror.isAwaited else { return }
        mirror.isAwaited = false
        mirror.isDoubted = false
        confirm(mirror)
        if case .null? = mirror.value { return }
        mirror.value = .null
        mirror.author = 0
        mirror.seq = 0
        restore(mirror)
    }

    // MARK: - Fetching again

    /// Something may have been lost, maybe also the last value of something else: when it is quiet, all values are
    /// fetched again.
    func suspect() { if suspiciousSince == 0 { suspiciousSince = relay_milliseconds() } }

    /// Under the lock. Something has come that the owner of a mirror may not have sent: when it is quiet, its value is
    /// fetched again, and what the broker retains decides.
    func doubt(_ mirror: Mirror) {
        guard mirror.isRetained, !mirror.isDoubted, !transport.saysWhatIsNull else { return }
        mirror.isDoubted = true
        if doubted.isEmpty { doubtingSince = relay_milliseconds() }
        doubted.append(mirror)
    }

    /// How long to wait for it to be quiet, in milliseconds.
    var untilQuiet: Int32 { suspiciousSince == 0 && flowingSince == 0 && doubted.isEmpty ? 1000 : quiet }

    /// Fetches what there is reason to, if it is quiet, or it was not for long.
    func fetch(_ now: Int64) {
        let isQuiet = now - lastArrival >= Int64(quiet)
        if isQuiet { flow = 0 }
        if suspiciousSince != 0, isQuiet || now - suspiciousSince > 5000 {
            fetchAll()
        } else if flowingSince != 0, isQuiet || now - flowingSince > 30000 {
            fetchAll()
        } else if !doubted.isEmpty, isQuiet || now - doubtingSince > 1000 {
            withLock {
                if isConnected { for mirror in doubted where mirror.isDoubted { fetch(mirror) } }
                doubted = []
            }
        }
    }

    /// Asks for all values again.
    private func fetchAll() {
        suspiciousSince = 0
        flowingSince = 0
        flow = 0
        withLock {
            doubted = []
            guard isConnected else { return }
            for mirror in mirrors where mirror.isRetained { fetch(mirror) }
        }
    }

    private func fetch(_ mirror: Mirror) {
        guard mirror.device == nil, case .state(let device)? = targets[Relay.stateTopic(of: mirror.topic)] else {
            subscriptions.append(.mirror(mirror))
            return
        }
        if isSame(device.stateMirror, mirror) {
            subscriptions.append(.state(device))
        } else if isSame(device.descriptionMirror, mirror) {
            subscriptions.append(.description(device))
        } else {
            subscriptions.append(.mirror(mirror))
        }
    }
}

extension Subscription {
    /// Values are given up for newer ones, everything else counts.
    var isReliable: Bool {
        switch self {
        case .mirror(let mirror): !mirror.isRetained
        case .requests, .target, .ownAttributes: true
        case .state, .description, .watcher, .ownValues: false
        }
    }

    var hasRetained: Bool {
        switch self {
        case .mirror(let mirror): mirror.isRetained
        case .state, .description, .watcher, .ownAttributes, .ownValues: true
        case .requests, .target: false
        }
    }

    /// What the messages come with.
    var number: UInt32 {
        switch self {
        case .watcher(let watcher): watcher.subscription
        case .ownAttributes, .ownValues: ownNumber
        default: 0
        }
    }

    /// Whether what does not come is null.
    var isComplete: Bool {
        switch self {
        case .mirror(let mirror): mirror.isRetained
        case .state, .description: true
        default: false
        }
    }

    /// Whether nothing wants it any more.
    var isEnded: Bool {
        switch self {
        case .mirror(let mirror), .target(let mirror): mirror.isForgotten
        case .state(let device), .description(let device): device.isUnused
        case .requests(let publication): publication.isWithdrawn
        case .watcher(let watcher): watcher.isEnded
        case .ownAttributes, .ownValues: false
        }
    }

    func goes(with other: Subscription) -> Bool {
        isReliable == other.isReliable && hasRetained == other.hasRetained && number == other.number
    }
}
