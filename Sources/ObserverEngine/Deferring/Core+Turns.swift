// SPDX-License-Identifier: MIT

import CPlatform
import Synchronization

extension Core {
    /// Takes ownership, if nothing at all is going on.
    @inlinable
    func ownAtOnce() -> Bool {
        let now = state.load(ordering: .relaxed)
        guard now & ~CoreState.empty == idle else { return false }
        return state.compareExchange(expected: now, desired: now | CoreState.owned, ordering: .acquiring).exchanged
    }

    /// Gives ownership back, after what waits has been delivered.
    @inlinable
    func leave() -> Outcome {
        let now = state.load(ordering: .relaxed)
        if now & ~CoreState.empty == idle | CoreState.owned,
            state.compareExchange(expected: now, desired: now & ~CoreState.owned, ordering: .releasing).exchanged
        {
            return .sent
        }
        return leaveSlowly()
    }

    /// Sends a message that has been made to wait.
    @inlinable
    public func send(kept message: Waiting, author: Author) -> Outcome {
        lock()
        return sendUnlocking(message, author: author)
    }

    /// Runs something during which no message is delivered, unless one is being delivered already. What is sent
    /// meanwhile is delivered afterwards, on this thread. The observable lives, and keeps the order of its messages.
    @inlinable
    public func holdingBack(_ body: () -> Void) {
        lock()
        let isHeld = own()
        if isHeld { owner.store(platform_thread(), ordering: .relaxed) }
        unlock()
        body()
        if isHeld { _ = leaveSlowly() }
    }
}

extension AnyCore {
    @inlinable final var isOwned: Bool { state.load(ordering: .relaxed) & CoreState.owned != 0 }

    /// Whether a message of the owner could reach anybody.
    @inlinable final var isHeardByOwner: Bool {
        state.load(ordering: .relaxed) & (CoreState.blocked | CoreState.empty) == 0
    }

    /// Whether this thread is delivering, and asks from inside a handler.
    @inlinable final var isDeliveringHere: Bool {
        // Only an owner notes handlers, after it has said which thread it is. A thread that is no owner any more may
        // still stand there as one, but then no handler is noted, or another thread has said so meanwhile.
        current.load(ordering: .acquiring) != nil && owner.load(ordering: .relaxed) == platform_thread() && isOwned
    }
}
