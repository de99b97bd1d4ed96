// SPDX-License-Identifier: MIT

import CPlatform
import Synchronization

extension Core {
    /// Ends a delivery, and closes if the observable died meanwhile and this delivery was the last. The lock is held.
    ///
    /// - Parameters:
    ///   - held: what the delivery gives up.
    ///   - failures: `refused` if the message of this send was, and what of `told` is known already.
    @inlinable @inline(__always)
    func endDelivery(
        _ ended: [DeferredDestruction<Handler>], giving held: UInt32, _ failures: UInt32
    ) -> DeliveryEnd<Handler> {
        let isClosing = state.load() & CoreState.closed != 0 && !isDeliveringUnordered
        let now = state.endDelivery(giving: held, keepsWork: isClosing || hasRetired)
        let finished = isClosing ? ended + takeAll() : ended
        applyMode()
        let outcome = Outcome((now & CoreState.told) | failures)
        return DeliveryEnd(finished: finished, isClosing: isClosing, outcome: outcome)
    }

    /// Ends all observations, once the observable is dead and no delivery is in progress. The lock is held.
    @inlinable
    func takeAll() -> [DeferredDestruction<Handler>] {
        // A thread that finds only in its reader slot that this is dead ends no delivery, and so does not close once
        // more.
        keepOrder()
        guard let entries else { return [] }
        var finished: [DeferredDestruction<Handler>] = []
        for position in 0..<entries.count {
            guard let slot = entries.slots[position] else { continue }
            if let one = take(slot) { finished.append(one) }
        }
        living = 0
        return finished
    }

    /// The observable is dead: all observations end, after the delivery in progress (law 8).
    ///
    /// What is left to the home thread is lost, if this is another one.
    public func close() {
        lock()
        let before = state.close()
        if before & CoreState.offered != 0, !isElsewhere, adopt() {
            _ = Unmanaged.passRetained(self)
            unlock()
            _ = drain()
            return
        }
        if before & CoreState.owned != 0 || isDeliveringUnordered {
            // The thread that delivers finishes, and needs the core until then.
            _ = Unmanaged.passRetained(self)
            unlock()
            return
        }
        guard entries != nil else { return unlock() }
        let finished = takeAll()
        unlock()
        for one in finished { one.end() }
    }
}

/// The rest of the end of a delivery, to be done without the lock.
@usableFromInline
struct DeliveryEnd<Handler: MessageHandler> {
    @usableFromInline let finished: [DeferredDestruction<Handler>]
    @usableFromInline let isClosing: Bool
    @usableFromInline let outcome: Outcome

    @inlinable
    init(finished: [DeferredDestruction<Handler>], isClosing: Bool, outcome: Outcome) {
        self.finished = finished
        self.isClosing = isClosing
        self.outcome = outcome
    }

    @inlinable @inline(__always)
    func finish(_ core: Core<Handler>) -> Outcome {
        for one in finished { one.end() }
        // The reference that closing left to the last delivery.
        if isClosing { Unmanaged.passUnretained(core).release() }
        return outcome
    }
}
