// SPDX-License-Identifier: MIT

import Synchronization

// Messages stay enqueued without a thread that delivers: they wait until the next one that sends takes over, or does
// something else in its turn, or until the observable dies. The order stays.

extension AnyCore {
    /// Lets the delivery of which a handler is running on this thread end when all have been offered the message in
    /// hand. What waits stays enqueued.
    public final func interrupt() {
        lock()
        defer { unlock() }
        if isDeliveringHere { state.interrupt() }
    }
}

extension Core {
    /// Enqueues a message. Where messages keep no order it is delivered at once.
    public func sendWithoutDraining(_ message: Message, author: Author) -> Outcome {
        guard let kept = Handler.copy(message) else { return .noMemory }
        return perform(withLock { decideWithoutDraining(kept, author) }, kept, author)
    }

    /// Enqueues a message, unless it can be delivered at once or nothing can hear it. The lock is held.
    @inlinable
    func decideWithoutDraining(_ message: Stored, _ author: Author) -> Sending {
        while true {
            let now = state.load()
            if now & CoreState.blocked != 0 { return .enqueued }
            if now & (CoreState.owned | CoreState.offered) == 0 {
                guard now & (CoreState.empty | CoreState.closed | CoreState.unordered) == 0 else {
                    return decide(message, author)
                }
                if tryAcquireLocked() {
                    state.leaveEnqueued()
                }
            }
            guard isOffered || signalOwner() else { continue }
            append(message, author)
            return .enqueued
        }
    }
}
