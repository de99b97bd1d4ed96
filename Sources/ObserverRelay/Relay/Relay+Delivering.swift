// SPDX-License-Identifier: MIT

import CRelay

extension Relay {
    /// Under the lock. Puts something into the line of what the program gets.
    func hand(_ delivery: Delivery) {
        if deliveries.isEmpty { hasHanded = true }
        deliveries.append(delivery)
    }

    /// What the delivery thread does.
    func deliver() {
        while let call = nextDelivery() { call() }
        // The program's closures refer to what refers to the relay.
        let ended = withLock {
            let ended = (
                targets.all, mirrors, watchers, deliveries.takeAll(), outgoing.takeAll(), subscriptions.takeAll()
            )
            for target in targets.all { if case .state(let device) = target { device.removeAll() } }
            targets = Table()
            watchers = []
            return ended
        }
        _ = ended
    }

    /// Waits for the next delivery, and hands out what makes it with no lock held. `nil`: there is none any more.
    private func nextDelivery() -> (() -> Void)? {
        relay_lock_enter(lock)
        defer { relay_lock_leave(lock) }
        deliveringSince = 0
        while true {
            if isOver {
                while isHelped { relay_lock_wait(lock) }
            } else if deliveries.isEmpty {
                awaitDelivery()
                continue
            }
            guard let delivery = deliveries.popFirst() else { return nil }
            if let call = call(for: delivery) {
                deliveringSince = relay_milliseconds()
                return call
            }
        }
    }

    private func awaitDelivery() {
        if nextStale == Int64.max {
            relay_lock_wait(lock)
            return
        }
        let left = nextStale - relay_milliseconds()
        if left > 0 { relay_lock_wait_for(lock, min(left, 3_600_000)) }
        dropStale(relay_milliseconds())
    }

    private func call(for delivery: Delivery) -> (() -> Void)? {
        switch delivery {
        case .value(let mirror):
            mirror.isWaiting = false
            mirror.isSettling = false
            let value = mirror.value ?? .null
            return mirror.isForgotten || isClosing ? nil : { mirror.receive(value) }
        case .undone(let mirror):
            let value = mirror.value ?? .null
            return mirror.isForgotten ? nil : { mirror.receive(value) }
        case .event(let mirror, let value):
            return mirror.isForgotten || isClosing ? nil : { mirror.receive(value) }
        case .request(let publication, let value):
            if isClosing { return nil }
            return { [self] in
                if let set = publication.set, !set(value) {
                    refuse("a value that was asked for", of: publication.topic, "its variable does not take it")
                }
                // Also what it refused, or had already: so the one who asked knows.
                let wakes = withLock {
                    publication.decided += 1
                    return send(publication)
                }
                if wakes { flushOrWake() }
            }
        case .watched(let watcher, let watched):
            _ = watcher.waiting.remove(watched.topic)
            let payload = watched.payload
            return isClosing || watcher.isEnded ? nil : { watcher.receive(watched.topic, payload) }
        case .state:
            guard !isHelped, let state = nextState() else { return nil }
            return { [self] in tell(state) }
        }
    }

    // MARK: - The state, which waits for no handler of something else

    /// Under the lock.
    private func nextState() -> (text: Bytes, number: UInt64)? {
        let state = states.popFirst()
        statesSince = states.isEmpty ? 0 : relay_milliseconds()
        return state
    }

    /// Two threads may tell states, one of them of an older one: the last one stays.
    private func tell(_ state: (text: Bytes, number: UInt64)) {
        var state = state
        while true {
            withLock { toldNumber = max(toldNumber, state.number) }
            stateChanged(state.text)
            let last = withLock {
                if state.number > delivered.number { delivered = state }
                return delivered
            }
            if last.number == state.number { return }
            state = last
        }
    }

    /// Has another thread tell the states that wait while the delivery thread is in a call of the program: at once, or
    /// if that takes long. Called on the network thread. Returns when it has to be called again.
    func help(atOnce: Bool) -> Int64 {
        let (due, begins) = withLock { () -> (Int64, Bool) in
            guard !states.isEmpty, deliveringSince != 0, !isHelped else { return (Int64.max, false) }
            let due = max(statesSince, deliveringSince) + patience
            if !atOnce && due > relay_milliseconds() { return (due, false) }
            isHelped = true
            return (Int64.max, true)
        }
        guard begins else { return due }
        let thread = relay_thread_begin(
            { context in
                let relay = Unmanaged<Relay>.fromOpaque(context!)
                relay.takeUnretainedValue().tellStates()
                relay.release()
            }, Unmanaged.passRetained(self).toOpaque())
        if thread == 0 {
            Unmanaged.passUnretained(self).release()
            withLock { isHelped = false }
        } else {
            relay_thread_let_go(thread)
        }
        return Int64.max
    }

    private func tellStates() {
        while true {
            let state = withLock { () -> (text: Bytes, number: UInt64)? in
                if let state = nextState() { return state }
                isHelped = false
                hasHanded = true
                return nil
            }
            guard let state else { return }
            tell(state)
        }
    }
}

/// In milliseconds: how long a state waits for the handler of something else.
private let patience: Int64 = 100
