// SPDX-License-Identifier: MIT

import CPlatform
import Synchronization

/// An action of the owner between two messages, in the order in which it was asked for. It runs without a lock, and may
/// `offer` messages.
public typealias Barrier = () -> Void

/// The actions of the owner of a core between messages.
@usableFromInline
final class Barriers {
    /// Replays of observations that have begun meanwhile: they come before the next message.
    @usableFromInline let replays = MessageQueue<Barrier, UInt64>()
    /// The others, each with the number of messages that come before it.
    @usableFromInline let others = MessageQueue<Barrier, UInt64>()

    @inlinable init() {}
}

extension MessageQueue {
    @inlinable var first: Element? { count > 0 ? self[0] : nil }
    @inlinable var firstAuthor: Author? { count > 0 ? (storage! + head).pointee.author : nil }
}

extension Core {
    /// Does something when all messages that have been sent so far are delivered: at once, if nothing is being
    /// delivered.
    ///
    /// Nothing else is delivered meanwhile, except where messages keep no order.
    @inlinable @discardableResult
    public func enqueueBarrier(_ action: @escaping Barrier) -> Outcome {
        while true {
            lock()
            let now = state.load()
            if now & CoreState.owned != 0 {
                let isOwned = state.announceWork() & CoreState.owned != 0
                if isOwned { enqueue(action) }
                unlock()
                if isOwned { return .sent }
                continue
            }
            if adopt() {
                enqueue(action)
                unlock()
                return withHooks { drain() }
            }
            if now & CoreState.closed != 0 {
                unlock()
                action()
                return .sent
            }
            // A delivery, until whose end messages keep no order: else another thread could own in the middle of the
            // turn.
            if now & CoreState.unordered != 0 { return deliverUnorderedUnlocking { _ in action() } }
            if tryAcquireLocked() {
                unlock()
                return withHooks {
                    owner.store(platform_thread(), ordering: .relaxed)
                    action()
                    return release()
                }
            }
            unlock()
        }
    }

    /// Does something that needs not own the core when all messages that have been sent so far are delivered.
    @inlinable
    public func afterEnqueued(_ action: @escaping Barrier) {
        lock()
        let now = state.load()
        var mustWait = now & (CoreState.owned | CoreState.offered) != 0
        if mustWait, isElsewhere {
            if leaveToOwner(action) { return unlock() }
            mustWait = false
        }
        unlock()
        // Where nothing is being delivered it would only make this thread deliver for others.
        if mustWait { enqueueBarrier(action) } else { action() }
    }

    /// Lets an action wait behind the messages that wait. Owned, and the lock is held.
    @inlinable
    func enqueue(_ action: @escaping Barrier) {
        madeBarriers().others.append(action, inbox?.appended ?? 0)
    }

    @inlinable
    func madeBarriers() -> Barriers {
        if let pending { return pending }
        let made = Barriers()
        makeBacklog().pointee.barriers = made
        return made
    }

    /// The action that comes before the next message. Owned, and the lock is held.
    @inlinable @inline(never)
    func nextBarrier(_ pending: Barriers) -> Barrier? {
        let popped = inbox?.popped ?? 0
        let next =
            pending.replays.popFirst()
            ?? (pending.others.firstAuthor ?? .max <= popped ? pending.others.popFirst() : nil)
        // What it has refused is not the message of the send, if that has been delivered.
        if next != nil, let backlog, backlog.pointee.own == popped { backlog.pointee.own = 0 }
        return next?.message
    }

    /// Takes ownership, if nothing at all is going on.
    @inlinable
    func tryAcquire() -> Bool {
        let now = state.load()
        guard now & ~(CoreState.empty | CoreState.alwaysRevalidate) == 0,
            state.tryAcquire(from: now)
        else { return false }
        owner.store(platform_thread(), ordering: .relaxed)
        return true
    }
}
