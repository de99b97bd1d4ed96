// SPDX-License-Identifier: MIT

import CPlatform

/// Keeps observations alive: when it dies, they stop.
///
/// The vocabularies differ in who keeps an observation. An observer's receiver is a keeper of many,
/// a subscription is one of a single observation, and an observation without a keeper lasts until
/// it is stopped or its observable dies.
///
/// A keeper holds ids only. Those of observations that have ended are dropped when its memory
/// is full, so ending an observation costs its keeper nothing.
///
/// - Note: `@unchecked Sendable`: everything is guarded by the keeper's lock, under which the locks
///   of cores may be taken.
public final class Keeper: @unchecked Sendable {
    @exclusivity(unchecked) private var ids: [ObservationID] = []
    @exclusivity(unchecked) private var room = Keeper.leastRoom

    /// Less would have each few beginnings look for those that have ended.
    private static var leastRoom: Int { 8 }

    public init() {}

    deinit { if !ids.isEmpty { stopAll() } }

    public func keep(_ id: ObservationID) {
        lock()
        if ids.count >= room {
            forgetEnded()
            room = max(Keeper.leastRoom, ids.count * 2)
        }
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
        lock()
        let stopping = ids
        ids = []
        room = Keeper.leastRoom
        unlock()
        return stop(stopping)
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
        forgetEnded()
        return ids.count
    }

    /// In place, because what begins and ends in turn, as most often, would otherwise have new memory again and again: for
    /// what is left, and then for each few more. But much that few are left of is given back. The lock is held.
    @inline(never)
    private func forgetEnded() {
        var left = 0
        for position in ids.indices where ids[position].isLiving {
            ids[left] = ids[position]
            left += 1
        }
        if left * 4 < ids.capacity, ids.capacity > 4 * Keeper.leastRoom {
            ids = Array(ids[..<left])
        } else {
            ids.removeLast(ids.count - left)
        }
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
