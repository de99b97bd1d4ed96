// SPDX-License-Identifier: MIT

import Synchronization

extension AnyCore {
    /// Drops everything that is sent from now on, until it has been unblocked as often as it was blocked.
    ///
    /// What has been sent before still arrives. A variable keeps changing, only its messages are dropped.
    public final func block() {
        withLock {
            let table = makeSideTable()
            table.pointee.blocks = table.pointee.blocks + 1
            state.set(CoreState.blocked, true)
        }
    }

    /// - Returns: False if it was not blocked.
    @discardableResult
    public final func unblock() -> Bool {
        withLock {
            guard let sideTable, sideTable.pointee.blocks > 0 else { return false }
            sideTable.pointee.blocks = sideTable.pointee.blocks - 1
            if sideTable.pointee.blocks == 0 { state.set(CoreState.blocked, false) }
            return true
        }
    }
}

extension ObservationID {
    /// Keeps messages from the handler, until it has been unblocked as often as it was blocked. They are
    /// lost to it.
    ///
    /// While one of its observations is blocked, an observable takes a slower path with every message.
    ///
    /// - Returns: False if the observation is not living, or has been blocked 127 times.
    @discardableResult
    public func block() -> Bool {
        guard let other = continuation else { return blockAlone() }
        // Where it goes on it is blocked before, and unblocked after: so nothing is left there, whatever other threads do.
        guard other.blockAlone() || !other.isLiving else { return false }
        if blockAlone() { return true }
        other.unblockAlone()
        return false
    }

    private func blockAlone() -> Bool {
        withLivingSlot { slot, core in
            let blocks = slot.pointee.blocks
            guard blocks < Slot.detailed - 1 else { return false }
            slot.pointee.marks.wrappingAdd(1, ordering: .relaxed)
            if blocks == 0 { core.addBlocked() }
            return true
        }
    }

    /// - Returns: False if the observation is not living, or was not blocked.
    @discardableResult
    public func unblock() -> Bool {
        guard unblockAlone() else { return false }
        continuation?.unblockAlone()
        return true
    }

    @discardableResult
    private func unblockAlone() -> Bool {
        withLivingSlot { slot, core in
            let blocks = slot.pointee.blocks
            guard blocks > 0 else { return false }
            slot.pointee.marks.wrappingSubtract(1, ordering: .relaxed)
            if blocks == 1 { core.removeBlocked() }
            return true
        }
    }

    public var isBlocked: Bool {
        withLivingSlot { slot, _ in slot.pointee.blocks > 0 }
    }
}
