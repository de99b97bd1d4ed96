// SPDX-License-Identifier: MIT

import Synchronization

extension Core {
    /// Lets an observation receive what is sent from now on, when others have received what waits, and have ended.
    @inlinable
    public func join(_ id: ObservationID, after others: [ObservationID]) {
        if joinElsewhere(id, after: others) { return }
        enqueueBarrier { [core = Unmanaged.passUnretained(self)] in
            for one in others { one.stop() }
            _ = core._withUnsafeGuaranteedRef { $0.activate(id) }
        }
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
        let isLeft = leaveToOwner { [core = Unmanaged.passUnretained(self)] in
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
