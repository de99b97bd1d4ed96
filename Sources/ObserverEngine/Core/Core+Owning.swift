// SPDX-License-Identifier: MIT

import CPlatform
import Synchronization

extension Core {
    /// Delivers what waits, clears away what has ended, and gives ownership up when nothing is left.
    @inlinable @inline(never)
    func drain() -> Outcome {
        var left = budget
        // Whether it pays to let other threads get ahead before looking for more.
        var backsOff = true, hasBackedOff = false
        // Whether it has delivered for others since it last offered them to take over.
        var hasOthers = false
        // Not zero if the message of this send was refused, or if what this thread delivers fails.
        var failures = state.load() & CoreState.refused
        while true {
            lockPatiently()
            let backlog = backlog, finished = sweep(backlog)
            let rare = CoreState.revalidate | CoreState.awaited | CoreState.interrupted | CoreState.refused
            let seen = state.load()
            if seen & rare != 0 {
                if seen & CoreState.refused != 0 { failures |= takeRefusal() }
                state.endRevalidation()
                announce()
                if isLeftEnqueued(&failures) {
                    unlock()
                    for one in finished { one.end() }
                    return failures == 0 ? .sent : .handlerFailed
                }
            }
            if let pending = backlog?.pointee.barriers, let action = nextBarrier(pending) {
                unlock()
                for one in finished { one.end() }
                action()
                continue
            }
            guard let inbox = backlog?.pointee.inbox, case let count = inbox.takeAll(), count > 0 else {
                let end = endDelivery(finished, giving: CoreState.owned, failures)
                unlock()
                return end.finish(self)
            }
            let isShared = isShared
            if isShared {
                self.isShared = false
                hasOthers = true
            }
            let now = state.load()
            // While actions wait their turn may come with each message.
            if now & (CoreState.work | CoreState.closed) == CoreState.work,
                backlog?.pointee.barriers?.others.count ?? 0 == 0
            {
                state.finishWork()
            }
            unlock()
            for one in finished { one.end() }
            while let next = inbox.popFirst() {
                Handler.withMessage(next.message) { dispatch($0, next.author) }
                left -= 1
                if left == 0 {
                    left = budget
                    if tryHandOff(&hasOthers, &failures) { return failures == 0 ? .sent : .handlerFailed }
                }
                if state.load() & CoreState.work != 0 { break }
            }
            // A batch that is small although this thread waited for it: the others have other things to do, too.
            if hasBackedOff || count >= 16 { backsOff = count >= 16 }
            hasBackedOff = isShared && backsOff && count < 64 && inbox.taken == 0
            if hasBackedOff { platform_back_off(64) }
        }
    }

    /// Forgets that executors have refused the last message, or what an action had delivered. Owned, and the lock is
    /// held.
    ///
    /// - Returns: Not zero if it was the message of the send in progress, which was enqueued.
    @inlinable @inline(never)
    func takeRefusal() -> UInt32 {
        let refused = state.takeRefusal()
        guard let backlog, backlog.pointee.own != 0, backlog.pointee.own == inbox?.popped else { return 0 }
        return refused
    }

    /// Ends a delivery that was interrupted, unless nothing waits, or no thread can take over because the observable is
    /// dead. Owned, and the lock is held.
    @usableFromInline @inline(never)
    func isLeftEnqueued(_ failures: inout UInt32) -> Bool {
        guard state.takeInterruption() else { return false }
        let waiting = (inbox?.count ?? 0) + (pending.map { $0.replays.count + $0.others.count } ?? 0)
        guard waiting > 0, state.load() & CoreState.closed == 0 else { return false }
        failures |= offerOwnership()
        return true
    }

    /// Offers the rest of a delivery to the threads that send meanwhile, for some microseconds. The owner may not
    /// wait for them, nor they for it, in a handler: so this is between two messages, and the first that sends takes
    /// over.
    ///
    /// - Parameters:
    ///   - hasOthers: whether this thread has taken out what came from others since it last offered them the rest.
    ///   - failures: takes in what has failed until now, which is none of the other thread's business.
    /// - Returns: Whether one has.
    @inlinable @inline(never)
    func tryHandOff(_ hasOthers: inout Bool, _ failures: inout UInt32) -> Bool {
        lock()
        guard hasOthers || isShared, inbox?.count ?? 0 > 0,
            state.load() & (CoreState.closed | CoreState.interrupted) == 0
        else {
            unlock()
            return false
        }
        // A handler may have given up what this thread sends with; then only the one that takes over keeps the core.
        let kept = Unmanaged.passRetained(self)
        defer { kept.release() }
        hasOthers = false
        isShared = false
        failures |= takeRefusal() | offerOwnership()
        unlock()
        awaitAdoption()
        lock()
        defer { unlock() }
        return !adopt()
    }

    /// Gives ownership up, for another thread to take it over. The lock is held.
    ///
    /// - Returns: Not zero if something has failed until now, which is none of that thread's business.
    @inlinable
    func offerOwnership() -> UInt32 {
        backlog?.pointee.own = 0
        return state.offer()
    }

    /// The lock is not held; nor, until this returns, that of a language's runtime, or no other of its threads could
    /// send.
    @usableFromInline
    func awaitAdoption() {
        let runtime = RuntimeLock.ofProcess
        let isHeld = runtime?.pointee.isHeld() ?? 0 != 0
        let released = isHeld ? runtime?.pointee.release() : nil
        // What waits for the lock of a runtime sleeps, and has to wake up.
        for _ in 0..<(isHeld ? 256 : 32) where state.load() & CoreState.offered != 0 {
            for _ in 0..<32 { platform_pause() }
            platform_yield()
        }
        if isHeld { runtime?.pointee.acquire(released) }
    }

    /// Lets the owner catch up, for some tens of microseconds at most. No lock is held, and the caller has kept the
    /// core.
    ///
    /// To hand messages over makes two threads fetch the inbox, the lock and each message from each other, which
    /// takes longer than to deliver to a few. While this thread backs off the owner delivers what waits and then,
    /// without a lock, what it sends itself. Two threads that send to one observer reach 0.8 of what one does; 0.2
    /// where none backs off.
    @usableFromInline @inline(never)
    func backOff() -> Outcome {
        defer { Unmanaged.passUnretained(self).release() }
        // The handler that the owner is in may wait for the lock of a runtime that this thread holds.
        if RuntimeLock.ofProcess?.pointee.isHeld() ?? 0 != 0 { return .sent }
        var rounds = 4
        repeat {
            // For where the owner waits for this processor.
            platform_yield()
            platform_back_off(512)
            rounds -= 1
        } while rounds > 0 && state.load() & CoreState.owned != 0
        return .sent
    }

    /// Takes over a delivery that is offered, with all that waits. The lock is held.
    @inlinable
    func adopt() -> Bool {
        guard state.load() & CoreState.offered != 0 else { return false }
        state.adopt()
        owner.store(platform_thread(), ordering: .relaxed)
        return true
    }

    /// Ends a delivery, and closes if the observable died meanwhile and this delivery was the last. The lock is held.
    ///
    /// - Parameters:
    ///   - held: what the delivery gives up.
    ///   - failures: not zero if the message of this send was refused, or something has failed.
    @inlinable @inline(__always)
    func endDelivery(_ ended: [DeferredDestruction<Handler>], giving held: UInt32, _ failures: UInt32) -> DeliveryEnd<
        Handler
    > {
        let isClosing = state.load() & CoreState.closed != 0 && !isDeliveringUnordered
        let now = state.endDelivery(giving: held, keepsWork: isClosing || hasRetired)
        let finished = isClosing ? ended + takeAll() : ended
        applyMode()
        let outcome = (now & CoreState.failed) | failures == 0 ? Outcome.sent : .handlerFailed
        return DeliveryEnd(finished: finished, isClosing: isClosing, outcome: outcome)
    }

    /// Takes out what ended while it may have been called. Owned, and the lock is held.
    @inlinable
    func sweep(_ backlog: UnsafeMutablePointer<Backlog<Handler>>?) -> [DeferredDestruction<Handler>] {
        var finished: [DeferredDestruction<Handler>] = []
        if let backlog {
            if !backlog.pointee.retiredArrays.isEmpty {
                for old in backlog.pointee.retiredArrays { discard(old.base) }
                backlog.pointee.retiredArrays = []
            }
            if !backlog.pointee.ended.isEmpty {
                for slot in backlog.pointee.ended {
                    if let one = take(slot) { finished.append(one) }
                }
                backlog.pointee.ended = []
                compact()
            }
        }
        return finished
    }

    /// Ends all observations, once the observable is dead and no delivery is in progress. The lock is held.
    @inlinable
    func takeAll() -> [DeferredDestruction<Handler>] {
        // A thread that finds only in its reader slot that this is dead ends no delivery, and so does not close once
        // more.
        keepOrder()
        guard let entries else { return [] }
        var finished: [DeferredDestruction<Handler>] = []
        for position in 0..<entries.count {
            guard let slot = entries.slots[position] else { continue }
            if let one = take(slot) { finished.append(one) }
        }
        living = 0
        return finished
    }

    /// The observable is dead: all observations end, after the delivery in progress (law 8).
    ///
    /// What is left to the home thread is lost, if this is another one.
    public func close() {
        lock()
        let before = state.close()
        if before & CoreState.offered != 0, !isElsewhere, adopt() {
            _ = Unmanaged.passRetained(self)
            unlock()
            _ = drain()
            return
        }
        if before & CoreState.owned != 0 || isDeliveringUnordered {
            // The thread that delivers finishes, and needs the core until then.
            _ = Unmanaged.passRetained(self)
            unlock()
            return
        }
        guard entries != nil else { return unlock() }
        let finished = takeAll()
        unlock()
        for one in finished { one.end() }
    }
}

/// What remains to be done without the lock when a delivery has ended.
@usableFromInline
struct DeliveryEnd<Handler: MessageHandler> {
    @usableFromInline let finished: [DeferredDestruction<Handler>]
    @usableFromInline let isClosing: Bool
    @usableFromInline let outcome: Outcome

    @inlinable
    init(finished: [DeferredDestruction<Handler>], isClosing: Bool, outcome: Outcome) {
        self.finished = finished
        self.isClosing = isClosing
        self.outcome = outcome
    }

    @inlinable @inline(__always)
    func finish(_ core: Core<Handler>) -> Outcome {
        for one in finished { one.end() }
        // The reference that closing left to the last delivery.
        if isClosing { Unmanaged.passUnretained(core).release() }
        return outcome
    }
}
