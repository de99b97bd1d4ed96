// SPDX-License-Identifier: MIT

import CPlatform
import Synchronization

/// The memory of a thread that drains, from one batch to the next.
@usableFromInline
struct Draining {
    /// How many messages it delivers before it offers the rest to others.
    @usableFromInline var left: UInt32
    /// Whether it pays to let other threads get ahead before looking for more.
    @usableFromInline var backsOff = true
    @usableFromInline var hasBackedOff = false
    /// Whether it has delivered for others since it last offered them the rest.
    @usableFromInline var hasOthers = false
    /// Whether something in the batch in hand has come from others.
    @usableFromInline var isShared = false
    /// `refused` if the message of this send was, and what of `told` is known of what this thread delivers.
    @usableFromInline var failures: UInt32

    @inlinable
    init(budget: UInt32, failures: UInt32) {
        left = budget
        self.failures = failures
    }

    @inlinable var outcome: Outcome { Outcome(failures) }
}

extension Core {
    /// Delivers what waits, sweeps what has ended, and gives ownership up when nothing is left.
    @inlinable @inline(never)
    func drain() -> Outcome {
        var draining = Draining(budget: budget, failures: state.load() & CoreState.refused)
        while true {
            lockPatiently()
            let backlog = backlog, finished = sweep(backlog)
            if answerRareBits(&draining) {
                unlock()
                for one in finished { one.end() }
                return draining.outcome
            }
            if let pending = backlog?.pointee.barriers, let action = nextBarrier(pending) {
                unlock()
                for one in finished { one.end() }
                action()
                continue
            }
            guard let inbox = backlog?.pointee.inbox, case let count = inbox.takeAll(), count > 0 else {
                let end = endDelivery(finished, giving: CoreState.owned, draining.failures)
                unlock()
                return end.finish(self)
            }
            begin(&draining, backlog)
            unlock()
            for one in finished { one.end() }
            let isHandedOff =
                isTraced ? deliverBatchTraced(inbox, count, &draining) : deliverBatch(inbox, count, &draining)
            if isHandedOff { return draining.outcome }
        }
    }

    /// Does what bits ask for that are seldom up. Owned, and the lock is held.
    ///
    /// - Returns: Whether the delivery ends here, because it was interrupted.
    @inlinable @inline(__always)
    func answerRareBits(_ draining: inout Draining) -> Bool {
        let seen = state.load()
        let rare = CoreState.revalidate | CoreState.awaited | CoreState.interrupted | CoreState.refused
        guard seen & rare != 0 else { return false }
        if seen & CoreState.refused != 0 { draining.failures |= takeRefusal() }
        state.endRevalidation()
        announce()
        return tryLeaveEnqueued(&draining.failures)
    }

    /// Begins with a batch that has been taken out of the inbox. Owned, and the lock is held.
    @inlinable @inline(__always)
    func begin(_ draining: inout Draining, _ backlog: UnsafeMutablePointer<Backlog<Handler>>?) {
        draining.isShared = isShared
        if draining.isShared {
            isShared = false
            draining.hasOthers = true
        }
        // While actions wait their turn may come with each message.
        let now = state.load()
        if now & (CoreState.work | CoreState.closed) == CoreState.work,
            backlog?.pointee.barriers?.others.count ?? 0 == 0
        {
            state.finishWork()
        }
    }

    /// Delivers a batch, as far as nothing else is to be done before. Owned, without the lock.
    ///
    /// - Returns: Whether another thread has taken over what is left.
    @inlinable @inline(__always)
    func deliverBatch(_ inbox: Inbox<Stored, Author>, _ count: Int, _ draining: inout Draining) -> Bool {
        deliverBatch(inbox, count, &draining) { next in
            Handler.withMessage(next.message) { dispatch($0, next.author) }
        }
    }

    /// The same where causes are noted.
    @usableFromInline @inline(never)
    func deliverBatchTraced(_ inbox: Inbox<Stored, Author>, _ count: Int, _ draining: inout Draining) -> Bool {
        deliverBatch(inbox, count, &draining) { deliverTraced($0, number: inbox.popped - 1) }
    }

    @inlinable @inline(__always)
    func deliverBatch(
        _ inbox: Inbox<Stored, Author>, _ count: Int, _ draining: inout Draining,
        _ deliver: (MessageQueue<Stored, Author>.Element) -> Void
    ) -> Bool {
        while let next = inbox.popFirst() {
            deliver(next)
            draining.left -= 1
            if draining.left == 0 {
                draining.left = budget
                if tryHandOff(&draining.hasOthers, &draining.failures) { return true }
            }
            if state.load() & CoreState.work != 0 { break }
        }
        // A batch that is small although this thread waited for it: the others have other things to do, too.
        if draining.hasBackedOff || count >= 16 { draining.backsOff = count >= 16 }
        draining.hasBackedOff = draining.isShared && draining.backsOff && count < 64 && inbox.taken == 0
        if draining.hasBackedOff { platform_back_off(64) }
        return false
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
    func tryLeaveEnqueued(_ failures: inout UInt32) -> Bool {
        guard state.takeInterruption() else { return false }
        let waiting = (inbox?.count ?? 0) + (pending.map { $0.replays.count + $0.others.count } ?? 0)
        guard waiting > 0, state.load() & CoreState.closed == 0 else { return false }
        failures |= offerOwnership()
        return true
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
}

// A thread that delivers for others offers them the rest, and one that enqueues for an owner backs off.
extension Core {
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
    /// - Returns: What has failed until now, which is none of that thread's business.
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
}

extension Core {
    /// Ends a delivery, and closes if the observable died meanwhile and this delivery was the last. The lock is held.
    ///
    /// - Parameters:
    ///   - held: what the delivery gives up.
    ///   - failures: `refused` if the message of this send was, and what of `told` is known already.
    @inlinable @inline(__always)
    func endDelivery(
        _ ended: [DeferredDestruction<Handler>], giving held: UInt32, _ failures: UInt32
    ) -> DeliveryEnd<Handler> {
        let isClosing = state.load() & CoreState.closed != 0 && !isDeliveringUnordered
        let now = state.endDelivery(giving: held, keepsWork: isClosing || hasRetired)
        let finished = isClosing ? ended + takeAll() : ended
        applyMode()
        let outcome = Outcome((now & CoreState.told) | failures)
        return DeliveryEnd(finished: finished, isClosing: isClosing, outcome: outcome)
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

/// The rest of the end of a delivery, to be done without the lock.
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
