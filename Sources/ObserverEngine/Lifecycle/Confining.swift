// SPDX-License-Identifier: MIT

import CPlatform
import Synchronization

// A core can be confined to a thread, its home: no other thread owns it, so no other thread calls its handlers. What
// other threads do in the order of its messages they do at once where nothing waits, and leave to the home thread
// where something does.

extension AnyCore {
    /// Confines deliveries to a thread, by its identity.
    ///
    /// - Returns: False if this is confined already.
    public final func confine(to home: UInt64) -> Bool {
        withLock {
            let details = makeDetails()
            guard details.pointee.home == 0 else { return false }
            details.pointee.home = home
            return true
        }
    }

    /// Whether another thread alone may deliver. The lock is held.
    @usableFromInline @inline(never)
    final var isElsewhere: Bool {
        guard let home = details?.pointee.home, home != 0 else { return false }
        return home != platform_thread_identity()
    }
}

extension Core {
    /// Whether messages, or actions, wait for the home thread to send again.
    public var isLeftToHome: Bool { withLock { isOffered && isElsewhere } }

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

    /// `join` on another thread than the home thread.
    ///
    /// - Returns: False if this thread may deliver, or messages keep no order: then nothing has been done.
    @usableFromInline @inline(never)
    func joinElsewhere(_ id: ObservationID, after others: [ObservationID]) -> Bool {
        lock()
        guard isElsewhere, !isUnordered else {
            unlock()
            return false
        }
        let isLeft = leaveToHome { [core = Unmanaged.passUnretained(self)] in
            for one in others { one.stop() }
            _ = core._withUnsafeGuaranteedRef { $0.activate(id) }
        } instead: {
            // In one step, so that the next message comes by one of them, and once.
            for other in others {
                if let slot = SlotMap.find(other), slot.pointee.isLiving, !slot.pointee.isPending {
                    makePending(slot)
                }
            }
            activateLocked(id)
        }
        unlock()
        if !isLeft { for one in others { one.stop() } }
        return true
    }
}
