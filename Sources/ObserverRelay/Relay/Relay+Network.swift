// SPDX-License-Identifier: MIT

import CRelay

/// What the network thread does.
extension Relay {
    func runNetwork() {
        relay_lock_enter(turnLock)
        defer { relay_lock_leave(turnLock) }
        var delay = settings.firstRetry
        while !withLock({ isClosing }) {
            withLock {
                isConnecting = true
                say("connecting")
            }
            let problem = engine.connect(self)
            lostReason = problem
            withLock { isConnecting = false }
            let began = relay_milliseconds()
            while lostReason == nil && !withLock({ isClosing }) { turn() }
            guard let reason = lostReason else { break }
            if withLock({ isReady }) || relay_milliseconds() - began > Int64(settings.lastRetry) {
                delay = settings.firstRetry
            }
            cleanUp(reason)
            wait(milliseconds: delay)
            delay = min(delay * 2, settings.lastRetry)
        }
        if lostReason == nil { sayGoodbye() }
        withLock {
            isConnected = false
            isReady = false
            say("closed")
            isOver = true
            relay_lock_announce(lock)
        }
    }

    private func turn() {
        pump()
        if lostReason != nil { return }
        let milliseconds = withLock { () -> Int32 in
            isAsleep = true
            // What came since then has not raised the event.
            if !engine.isFull, unacknowledged.count < mostUnacknowledged, !outgoing.isEmpty { return 0 }
            return suspiciousSince == 0 ? 1000 : quiet
        }
        let before = relay_milliseconds()
        hasNews = false
        let wasFull = engine.turn(event: event, milliseconds: milliseconds)
        let now = relay_milliseconds()
        // The process was stopped, or hardly got a processor: the broker may have run out of room for its messages. What
        // was asked for comes as fast as it is read.
        if wasFull && hasNews || now - before > Int64(milliseconds) + 1000 { suspect() }
        if hasNews { lastArrival = now }
        if suspiciousSince != 0, now - lastArrival >= Int64(quiet) || now - suspiciousSince > 5000 { fetchAll() }
    }

    /// Waits before the next attempt, unless the relay is closed: not all relays come back at the same time.
    private func wait(milliseconds: Int) {
        let jitter = Int(relay_random() % UInt64(milliseconds / 2 + 1))
        let until = relay_milliseconds() + Int64(milliseconds - milliseconds / 4 + jitter)
        while !withLock({ isClosing }) {
            let left = until - relay_milliseconds()
            if left <= 0 { break }
            _ = relay_wait(event, -1, false, Int32(clamping: left))
        }
    }

    // MARK: - What the engine says

    func connected() {
        withLock {
            isConnected = true
            counts.connections += 1
            subscriptions = Line()
            let events = outgoing.takeAll()
            if settings.device != nil {
                isDescriptionWaiting = false
                describeAgain()
            }
            for target in targets.all {
                switch target {
                case .mirror(let mirror): subscriptions.append(.mirror(mirror))
                case .requests(let publication):
                    publication.isAccepted = false
                    publication.isWaiting = publication.isRetained
                    if publication.isRetained { outgoing.append(.value(publication)) }
                    if publication.set != nil { subscriptions.append(.requests(publication)) }
                case .ownState: break
                }
            }
            for watcher in watchers { subscriptions.append(.watcher(watcher)) }
            for event in events { outgoing.append(event) }
            if let topic = attribute("$state") {
                if targets[topic] == nil { targets.insert(.ownState, at: topic) }
                subscriptions.append(.ownState)
            }
        }
    }

    func lost(_ reason: Bytes) { if lostReason == nil { lostReason = reason } }

    /// What was on its way as the connection was lost: events are sent again, requests are undone, values follow anyhow.
    private func cleanUp(_ reason: Bytes) {
        engine.disconnect(isPolite: false)
        withLock {
            isConnected = false
            isReady = false
            isDescriptionWaiting = false
            let unsent = unacknowledged.map { $0.message } + outgoing.takeAll()
            for message in unsent {
                switch message {
                case .event: outgoing.append(message)
                case .request(let mirror, _): restore(mirror)
                case .value(let publication): publication.isWaiting = false
                default: break
                }
            }
            unacknowledged = []
            subscribing = nil
            toComplete = []
            suspiciousSince = 0
            cancellations = []
            subscriptions = Line()
            say("lost", reason)
        }
    }

    /// Sends what waits, as long as the broker takes it.
    private func sayGoodbye() {
        let until = relay_milliseconds() + 2000
        withLock { if isConnected, settings.device != nil { outgoing.append(.state("disconnected")) } }
        while lostReason == nil, relay_milliseconds() < until, withLock({ isConnected }) {
            pump()
            if withLock({ outgoing.isEmpty }), unacknowledged.isEmpty, !engine.isFull { break }
            _ = engine.turn(event: event, milliseconds: 100)
        }
        engine.disconnect(isPolite: lostReason == nil)
    }
}

/// How many messages are sent on other threads within a millisecond.
let mostHurried = 32
/// How many messages may wait for the broker's answer.
let mostUnacknowledged = 100
/// How many subscriptions go in one message: what the broker retains of them must fit into what it keeps for a client.
let mostSubscriptions = 100
/// In milliseconds: from when on it is quiet.
let quiet: Int32 = 200
