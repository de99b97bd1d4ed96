// SPDX-License-Identifier: MIT

import CPlatform

/// Keeps observations alive: when it dies, they stop.
///
/// The vocabularies differ in who keeps an observation. An observer's receiver is a keeper of many,
/// a subscription is one of a single observation, and an observation without a keeper lasts until
/// it is stopped or its observable dies.
///
/// A keeper holds ids only (`KeptObservations`). Those of observations that have ended are dropped when its memory
/// is full, so ending an observation costs its keeper nothing; but not while the handler may still be running, or
/// `stopAllAndWait` would not wait for it.
///
/// Keepers share locks, so a thread that has much to look at lets go of the lock after each few ids.
///
/// - Note: `@unchecked Sendable`: everything is guarded by the keeper's lock, under which the locks
///   of cores may be taken.
public final class Keeper: @unchecked Sendable {
    @exclusivity(unchecked) private var kept = KeptObservations()

    public init() {}

    deinit { if !kept.ids.isEmpty { _ = stop(kept.ids) } }

    public func keep(_ id: ObservationID) {
        lock()
        kept.append(id)
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
    /// - Parameter isBackwards: whether what began last ends first.
    /// - Returns: Whether there was anything.
    @discardableResult
    public func stopAll(backwards isBackwards: Bool = false) -> Bool {
        let ids = withLock {
            kept.willEnd()
            return kept.ids
        }
        // What ends may release this, which then ends all that is left, at once: so this is not used any more.
        return stop(isBackwards ? ids.reversed() : ids)
    }

    /// Stops everything, and what the handlers begin meanwhile, and waits until none of these handlers is running on
    /// another thread. Inside one of them it does not wait. The keeper can be used again.
    ///
    /// - Returns: Whether there was anything.
    @discardableResult
    public func stopAllAndWait() -> Bool {
        // What ends may release this.
        let kept = Unmanaged.passRetained(self)
        defer { kept.release() }
        var any = false
        while true {
            let ids = ids
            // All are stopped before any is waited for, as one may be held up by another.
            let waiting = ids + ids.compactMap { $0.continuation }
            let stopped = stop(ids)
            any = any || stopped
            if waiting.contains(where: { $0.isCalledHereAlone }) { return any }
            for id in waiting { id.waitForCalls() }
            if !stopped { return any }
        }
    }

    public func isObserving(_ core: AnyCore) -> Bool {
        !living(of: core, most: 1).isEmpty
    }

    /// The living observations of one core, in the order in which they began.
    ///
    /// - Parameter most: how many of them, at most.
    public func living(of core: AnyCore, most: Int = .max) -> [ObservationID] {
        var search = KeptSearch(for: core, most: most)
        while !withLock({ kept.goOn(&search) }) {}
        return search.found
    }

    /// How many living observations it keeps. It takes time for each.
    public var observationCount: Int {
        forgetFinished()
        return ids.reduce(0) { $0 + ($1.isLiving ? 1 : 0) }
    }

    /// The ids kept at this moment, to be looked at without the lock.
    private var ids: [ObservationID] { withLock { kept.ids } }

    private func forgetFinished() {
        // What a sweep in progress has looked at may have finished since.
        var sweeps = withLock { kept.isSweeping } ? 2 : 1
        while sweeps > 0 { if withLock({ kept.sweep() }) { sweeps -= 1 } }
    }

    private func stop(_ stopping: [ObservationID]) -> Bool {
        var any = false
        for id in stopping where id.stop() { any = true }
        return any
    }

    private func withLock<Result>(_ body: () -> Result) -> Result {
        lock()
        defer { unlock() }
        return body()
    }

    private func lock() { platform_keeper_lock_acquire(lockIndex) }
    private func unlock() { platform_keeper_lock_release(lockIndex) }

    private var lockIndex: UInt32 {
        let address = UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque())
        return UInt32(truncatingIfNeeded: address >> 4) % UInt32(PLATFORM_LOCKS)
    }
}
