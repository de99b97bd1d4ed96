// SPDX-License-Identifier: MIT

import CPlatform
import Synchronization

/// What the owner does in its turn among the messages. It runs without a lock, and may `offer` messages.
public typealias Turn = () -> Void

/// What the owner of a core is to do in its turn among the messages.
@usableFromInline
final class Turns {
    /// Replays of observations that have begun meanwhile: their turn comes before the next message.
    @usableFromInline let joinings = MessageQueue<Turn, Void>()
    /// The others, each with the number of messages that come before it.
    @usableFromInline let waiting = MessageQueue<Turn, UInt64>()

    @inlinable init() {}
}

extension Core {
    /// Does something when all messages that have been sent so far are delivered: at once, if nothing is being delivered.
    ///
    /// Nothing else is delivered meanwhile, except where messages keep no order.
    @inlinable @discardableResult
    public func takeTurn(_ turn: @escaping Turn) -> Outcome {
        while true {
            lock()
            let now = state.load(ordering: .relaxed)
            if now & CoreState.owned != 0 {
                guard raise(CoreState.work) & CoreState.owned != 0 else {
                    lower(CoreState.work)
                    unlock()
                    continue
                }
                wait(for: turn)
                unlock()
                return .sent
            }
            if takeOver() {
                wait(for: turn)
                let hooks = enterUnlocking()
                let outcome = leaveSlowly()
                hooks?.leave()
                return outcome
            }
            if now & (CoreState.closed | CoreState.unordered) != 0 {
                unlock()
                turn()
                return .sent
            }
            if own() {
                let hooks = enterUnlocking()
                owner.store(platform_thread(), ordering: .relaxed)
                turn()
                let outcome = leave()
                hooks?.leave()
                return outcome
            }
            unlock()
        }
    }

    /// Does something that needs no turn when all messages that have been sent so far are delivered.
    @inlinable
    public func afterWhatWaits(_ action: @escaping Turn) {
        lock()
        let now = state.load(ordering: .relaxed)
        let mustWait = now & (CoreState.owned | CoreState.offered) != 0
        unlock()
        // Where nothing is being delivered it would only make this thread deliver for others.
        if mustWait { takeTurn(action) } else { action() }
    }

    /// Lets a turn wait behind the messages that wait. Owned, and the lock is held.
    @inlinable
    func wait(for turn: @escaping Turn) {
        madeTurns().waiting.append(turn, queue.map { $0.taken + UInt64($0.count) } ?? 0)
    }

    @inlinable
    func madeTurns() -> Turns {
        if let turns { return turns }
        let made = Turns()
        turns = made
        return made
    }

    /// The turn that comes before the next message. Owned, and the lock is held.
    @inlinable
    func nextTurn() -> Turn? {
        guard let turns else { return nil }
        if let joining = turns.joinings.popFirst() { return joining.message }
        guard let before = turns.waiting.firstAuthor, before <= queue?.taken ?? 0 else { return nil }
        return turns.waiting.popFirst()?.message
    }

    /// Takes ownership, if nothing at all is going on.
    @inlinable
    func ownAtOnce() -> Bool {
        let now = state.load(ordering: .relaxed)
        guard now & ~CoreState.empty == idle,
            state.compareExchange(expected: now, desired: now | CoreState.owned, ordering: .acquiring).exchanged
        else { return false }
        owner.store(platform_thread(), ordering: .relaxed)
        return true
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
}

extension MessageQueue {
    @inlinable var first: Element? { count > 0 ? (storage! + head).pointee : nil }
    @inlinable var firstAuthor: Author? { count > 0 ? (storage! + head).pointee.author : nil }
}
