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
            let ended = (targets.all, watchers, deliveries.takeAll(), outgoing.takeAll(), subscriptions.takeAll())
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
        while true {
            while deliveries.isEmpty && !isOver { relay_lock_wait(lock) }
            guard let delivery = deliveries.popFirst() else { return nil }
            if let call = call(for: delivery) { return call }
        }
    }

    private func call(for delivery: Delivery) -> (() -> Void)? {
        switch delivery {
        case .value(let mirror):
            mirror.isWaiting = false
            let value = mirror.value ?? .null
            return mirror.isForgotten || isClosing ? nil : { mirror.receive(value) }
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
                if wakes { hurry() }
            }
        case .watched(let watcher, let watched):
            _ = watcher.waiting.remove(watched.topic)
            let payload = watched.payload
            return isClosing ? nil : { watcher.receive(watched.topic, payload) }
        case .state(let state):
            return { [self] in stateChanged(state) }
        }
    }
}
