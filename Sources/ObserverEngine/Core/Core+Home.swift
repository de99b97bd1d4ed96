// SPDX-License-Identifier: MIT

import CPlatform
import Synchronization

// A core that is confined to a thread, its home: see `AnyCore.confine`.

extension AnyCore {
    /// Whether another thread alone may deliver. The lock is held.
    @usableFromInline @inline(never)
    final var isElsewhere: Bool {
        guard let home = sideTable?.pointee.home, home != 0 else { return false }
        return home != platform_thread_identity()
    }

    /// The same without the lock.
    public final var isConfinedElsewhere: Bool { sideTableUnlocked != nil && withLock { isElsewhere } }
}

extension Core {
    /// Leaves something to the home thread, if that delivers or something waits for it. The lock is held.
    ///
    /// - Parameter instead: done where nothing is going on: the home thread cannot begin to deliver meanwhile.
    /// - Returns: Whether it was left.
    @usableFromInline
    func leaveToHome(_ action: @escaping Barrier, instead: () -> Void = {}) -> Bool {
        let before = state.announceWork()
        if before & (CoreState.owned | CoreState.offered) != 0 {
            enqueue(action)
            return true
        }
        instead()
        if before & CoreState.work == 0 { state.finishWork() }
        return false
    }
}
