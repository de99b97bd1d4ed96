// SPDX-License-Identifier: MIT

import CPlatform
import Synchronization

// What a core says of itself.
extension AnyCore {
    /// Whether a thread delivers: in a turn, whether this one does, for without order none does until the turn has
    /// ended.
    @inlinable final var isOwned: Bool { state.load() & CoreState.owned != 0 }

    /// Whether this thread is delivering, and asks from inside a handler.
    @inlinable final var isDeliveringHere: Bool {
        // Only an owner notes handlers, after it has said which thread it is. A thread that is no owner any more may
        // still stand there as one, but then no handler is noted, or another thread has said so meanwhile.
        protectedHandler != nil && owner.load(ordering: .relaxed) == platform_thread()
            && isOwned
    }

    public final var isBlocked: Bool { state.load() & CoreState.blocked != 0 }

    /// One observation less is blocked. The lock is held.
    @usableFromInline
    final func removeBlocked() {
        blockedCount -= 1
        if blockedCount == 0 { state.setSomeBlocked(false) }
    }

    /// One observation more is blocked, or awaits its turn. The lock is held.
    @usableFromInline
    final func addBlocked() {
        blockedCount += 1
        state.setSomeBlocked(true)
    }
}
