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

    /// Begins an observation whose replay is received when somebody calls `join`, who must.
    ///
    /// - Returns: `nil` where messages keep no order, and nothing has begun.
    @inlinable
    public func observe(
        _ handler: Handler, destroy: Destroy? = nil, continuingIn other: ObservationID? = nil,
        replayingLater replay: @escaping Replay<Handler>
    ) -> ObservationID? {
        lock()
        defer { unlock() }
        guard state.load(ordering: .relaxed) & CoreState.unordered == 0 else { return nil }
        let record = register(destroy, continuingIn: other)
        if living == 1 { lower(CoreState.empty) }
        joinings.append(Joining(record: record, handler: handler, replay: replay))
        return ObservationID(rawValue: record.pointee.id)
    }

    /// Lets those that have begun receive their replays, here or, in a delivery that is in progress, after it.
    @inlinable
    public func join() {
        lock()
        while state.load(ordering: .relaxed) & CoreState.unordered != 0, !joinings.isEmpty {
            let joining = joinings.removeFirst()
            place(joining.handler, joining.record)
            if joining.record.pointee.isLiving.load(ordering: .relaxed) {
                walkUnlocking(joining) {}
            } else {
                let unwanted = take(joining.record)
                unlock()
                unwanted?.end()
            }
            lock()
        }
        guard !joinings.isEmpty, raise(CoreState.owned | CoreState.work) & CoreState.owned == 0 else { return unlock() }
        owner.store(platform_thread(), ordering: .relaxed)
        let around = enterUnlocking()
        _ = leaveSlowly()
        around?.leave()
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
