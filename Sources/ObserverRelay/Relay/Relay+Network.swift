// SPDX-License-Identifier: MIT

import CRelay

/// What the network thread does.
extension Relay {
    func runNetwork() {
        relay_lock_enter(loopLock)
        defer { relay_lock_leave(loopLock) }
        var delay = settings.firstRetry
        while !withLock({ isClosing }) {
            withLock {
                isConnecting = true
                say("connecting")
            }
            // This thread may be away for minutes.
            _ = help(atOnce: true)
            let problem = transport.connect(self)
            lostReason = problem
            withLock { isConnecting = false }
            let began = relay_milliseconds()
            while lostReason == nil && !withLock({ isClosing }) { step() }
            guard let reason = lostReason else { break }
            if withLock({ isReady }) || relay_milliseconds() - began > Int64(settings.lastRetry) {
                delay = settings.firstRetry
            }
            cleanUp(reason)
            wait(milliseconds: delay)
            delay = min(delay * 2, settings.lastRetry)
        }
        if lostReason == nil { sayGoodbye() }
        forgetConnection()
        withLock {
            isConnected = false
            isReady = false
            undoAll()
            say("closed")
            isOver = true
            relay_lock_announce(lock)
        }
    }

    private func step() {
        let begun = relay_milliseconds()
        let next = min(lookAfterOwn(begun), withLock { undoLate(begun) }, help(atOnce: false))
        flush()
        if lostReason != nil { return }
        let milliseconds = withLock { () -> Int32 in
            isAsleep = true
            // What came since then has not raised the event.
            if !transport.isFull, unacknowledged.count < mostUnacknowledged, !outgoing.isEmpty { return 0 }
            let due = min(next, unproven.first?.due ?? Int64.max)
            return Int32(clamping: max(0, min(Int64(untilQuiet), due - begun)))
        }
        let before = relay_milliseconds()
        hasNews = false
        let wasFull = transport.step(event: event, milliseconds: milliseconds)
        let now = relay_milliseconds()
        // The process was stopped, or hardly got a processor: the broker may have run out of room for its messages. What
        // was asked for comes as fast as it is read.
        if wasFull && hasNews || now - before > Int64(milliseconds) + 1000 { suspect() }
        if hasNews { lastArrival = now }
        // A slow connection may have been the broker's reason not to send what came last.
        if transport.isLossy, flowingSince == 0, flow >= aFlow { flowingSince = now }
        fetch(now)
    }

    /// Waits before the next attempt, unless the relay is closed: not all relays come back at the same time.
    private func wait(milliseconds: Int) {
        let jitter = Int(relay_random() % UInt64(milliseconds / 2 + 1))
        let until = relay_milliseconds() + Int64(milliseconds - milliseconds / 4 + jitter)
        while !withLock({ isClosing }) {
            let now = relay_milliseconds()
            if until <= now { break }
            _ = relay_wait(event, -1, false, Int32(clamping: max(0, min(until, help(atOnce: false)) - now)))
        }
    }

    // MARK: - What the transport says

    func connected() {
        withLock {
            isConnected = true
            counts.connections += 1
            subscriptions = Line()
            lastReport = nil
            namesakes = []
            hasNamesake = false
            // First: another program of this device answers what this one says of itself.
            if settings.device != nil, transport.isShared {
                subscriptions.append(.ownAttributes)
                subscriptions.append(.ownValues)
            }
            let events = outgoing.takeAll()
            if settings.device != nil {
                isDescriptionWaiting = false
                owesReady = false
                describeAgain()
                for (topic, text) in alerts.keysAndEntries { outgoing.append(.attribute(topic: topic, text)) }
            }
            for target in targets.all {
                switch target {
                case .state(let device): subscriptions.append(.state(device))
                case .description(let device): subscriptions.append(.description(device))
                default: break
                }
            }
            for target in targets.all {
                switch target {
                case .mirror(let mirror): subscriptions.append(.mirror(mirror))
                case .target(let mirror): subscriptions.append(.target(mirror))
                case .state, .description: break
                case .requests(let publication):
                    publication.isAccepted = false
                    publication.isRepeated = false
                    publication.isWaiting = publication.isRetained
                    if publication.isRetained { outgoing.append(.value(publication)) }
                    if publication.set != nil { subscriptions.append(.requests(publication)) }
                }
            }
            for watcher in watchers { subscriptions.append(.watcher(watcher)) }
            for event in events { outgoing.append(event) }
        }
    }

    func lost(_ reason: Bytes) { if lostReason == nil { lostReason = reason } }

    /// What was on its way as the connection was lost: events are sent again, requests are undone, values follow anyhow.
    private func cleanUp(_ reason: Bytes) {
        transport.disconnect(isPolite: false)
        withLock {
            isConnected = false
            isReady = false
            isDescriptionWaiting = false
            let unsent = unacknowledged.map { $0.message } + outgoing.takeAll()
            for message in unsent {
                switch message {
                case .event: outgoing.append(message)
                case .value(let publication): publication.isWaiting = false
                default: break
                }
            }
            forgetConnection()
            disconnectedSince = relay_milliseconds()
            for target in targets.all {
                guard case .state(let device) = target else { continue }
                device.isKnown = false
                device.isAwaited = false
                device.description = nil
            }
            for mirror in mirrors {
                mirror.isAwaited = mirror.isRetained
                unconfirm(mirror, since: disconnectedSince)
            }
            undoAll()
            cancellations = []
            subscriptions = Line()
            say("lost", reason)
        }
    }

    /// What was under way on this connection. It may be what keeps the program's objects.
    private func forgetConnection() {
        unacknowledged = []
        subscribing = nil
        toComplete = []
        suspiciousSince = 0
        flowingSince = 0
        flow = 0
        doubted = []
        for (publication, _) in unproven.takeAll() {
            publication.isUnproven = false
            publication.isContested = false
        }
        strays = Table()
        descriptionDue = 0
    }

    /// Sends what waits, as long as the broker takes it.
    private func sayGoodbye() {
        let until = relay_milliseconds() + 2000
        withLock {
            guard isConnected, settings.device != nil else { return }
            // What it owes is owed no more: it would come after the goodbye.
            owesReady = false
            outgoing.append(.state("disconnected"))
        }
        while lostReason == nil, relay_milliseconds() < until, withLock({ isConnected }) {
            flush()
            if withLock({ outgoing.isEmpty }), unacknowledged.isEmpty, !transport.isFull { break }
            _ = transport.step(event: event, milliseconds: 100)
        }
        transport.disconnect(isPolite: lostReason == nil)
    }
}

/// How many messages are sent on other threads within a millisecond.
let mostFlushed = 32
/// How many messages may wait for the broker's answer.
let mostUnacknowledged = 100
/// How many subscriptions go in one message, at most: what the broker retains of them must fit into what it keeps for a client.
let mostSubscriptions = 100
/// How many bytes without a pause are so many that a broker may have had no room for what came after them.
let aFlow = 1 << 14
/// In milliseconds: from when on it is quiet.
let quiet: Int32 = 200
