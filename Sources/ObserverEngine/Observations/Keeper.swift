// SPDX-License-Identifier: MIT

import CPlatform

/// Keeps observations alive: when it dies, they stop.
///
/// The vocabularies differ in who keeps an observation. An observer's receiver is a keeper of many,
/// a subscription is one of a single observation, and an observation without a keeper lasts until
/// it is stopped or its observable dies.
///
/// A keeper holds ids only. Those of observations that have ended are dropped when its memory
/// is full, so ending an observation costs its keeper nothing; but not while the handler may still be running, or
/// `stopAllAndWait` would not wait for it.
///
/// - Note: `@unchecked Sendable`: everything is guarded by the keeper's lock, under which the locks
///   of cores may be taken.
public final class Keeper: @unchecked Sendable {
    @exclusivity(unchecked) private var ids: [ObservationID] = []
    @exclusivity(unchecked) private var room = Keeper.leastRoom

    /// Less would have each few beginnings look for those that have ended.
    private static var leastRoom: Int { 8 }

    public init() {}

    deinit { if !ids.isEmpty { _ = stop(ids) } }

    public func keep(_ id: ObservationID) {
        lock()
        if ids.count >= room { forgetFinished() }
        ids.append(id)
        unlock()
    }

    /// Stops the observations of one core (law 9).
    ///
    /// - Returns: Whether there were any.
    @discardableResult
    public func stop(_ core: AnyCore) -> Bool {
        stop(living(of: core))
    }

    /// Stops everything. The keeper can be used again.
    ///
    /// - Returns: Whether there was anything.
    @discardableResult
    public func stopAll() -> Bool {
        let any = stop(kept)
        lock()
        forgetFinished()
        unlock()
        return any
    }

    /// Stops everything, and what the handlers begin meanwhile, and waits until none of these handlers is running on
    /// another thread. Inside one of them it does not wait. The keeper can be used again.
    ///
    /// - Returns: Whether there was anything.
    @discardableResult
    public func stopAllAndWait() -> Bool {
        var any = false
        while true {
            let kept = kept
            // All are stopped before any is waited for, as one may be held up by another.
            let waiting = kept + kept.compactMap { $0.continuation }
            let stopped = stop(kept)
            any = any || stopped
            if waiting.contains(where: { $0.isCalledHereAlone }) { return any }
            for id in waiting { id.waitForCalls() }
            if !stopped { return any }
        }
    }

    private var kept: [ObservationID] {
        lock()
        defer { unlock() }
        return ids
    }

    public func isObserving(_ core: AnyCore) -> Bool {
        lock()
        defer { unlock() }
        return ids.contains { $0.isLiving(of: core) }
    }

    /// The living observations of one core.
    public func living(of core: AnyCore) -> [ObservationID] {
        lock()
        defer { unlock() }
        return ids.filter { $0.isLiving(of: core) }
    }

    /// How many living observations it keeps.
    public var observationCount: Int {
        lock()
        defer { unlock() }
        forgetFinished()
        return ids.reduce(0) { $0 + ($1.isLiving ? 1 : 0) }
    }

    /// In place, because what begins and ends in turn, as most often, would otherwise have new memory again and again: for
    /// what is left, and then for each few more. But much that few are left of is given back. The lock is held.
    @inline(never)
    private func forgetFinished() {
        var left = 0
        for position in ids.indices where !ids[position].isFinished {
            ids[left] = ids[position]
            left += 1
        }
        if left * 4 < ids.capacity, ids.capacity > 4 * Keeper.leastRoom {
            ids = Array(ids[..<left])
        } else {
            ids.removeLast(ids.count - left)
        }
        room = max(Keeper.leastRoom, left * 2)
    }

    private func stop(_ stopping: [ObservationID]) -> Bool {
        var any = false
        for id in stopping where id.stop() { any = true }
        return any
    }

    private func lock() { platform_keeper_lock_acquire(lockIndex) }
    private func unlock() { platform_keeper_lock_release(lockIndex) }

    private var lockIndex: UInt32 {
        let address = UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque())
        return UInt32(truncatingIfNeeded: address >> 4) % UInt32(PLATFORM_LOCKS)
    }
}
