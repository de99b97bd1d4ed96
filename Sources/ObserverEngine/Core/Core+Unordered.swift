// SPDX-License-Identifier: MIT

import CPlatform
import Synchronization

// Law 5: see `AnyCore+Unordered`.
extension Core {
    /// Delivers a message in the lane of this thread, if it has one that is free.
    @inlinable @inline(never)
    func sendInLane(_ message: Message, _ author: Author) -> Outcome {
        let inLanes = CoreState.unordered | CoreState.inLanes
        let lanes = details.unsafelyUnwrapped.pointee.lanes.unsafelyUnwrapped
        guard let lane = lanes.own?.delivery, lane.pointee.busy.load(ordering: .relaxed) == Busy.free else {
            return sendSlowly(message, author)
        }
        lane.pointee.busy.store(Busy.delivering, ordering: .relaxed)
        platform_fence_compiler()
        guard state.loadAcquiring() == inLanes else { return sendAfterLeaving(lane, message, author) }
        offer(message, author, in: lane)
        lane.pointee.busy.store(Busy.brief, ordering: .releasing)
        platform_fence_compiler()
        guard state.load() == inLanes, !lane.pointee.hasFailed else { return leaveLane(lane) }
        lane.pointee.busy.store(Busy.free, ordering: .releasing)
        return .sent
    }

    /// Sends a message that has found, before its delivery, that something has happened.
    @usableFromInline @inline(never)
    func sendAfterLeaving(_ lane: UnsafeMutablePointer<UnorderedDelivery>, _ message: Message, _ author: Author)
        -> Outcome
    {
        let before = leaveLane(lane), outcome = sendSlowly(message, author)
        return outcome == .sent ? before : outcome
    }

    /// Ends a delivery in a lane that finds, before it or at its end, that something has happened.
    @usableFromInline @inline(never)
    func leaveLane(_ lane: UnsafeMutablePointer<UnorderedDelivery>) -> Outcome {
        // A thread that waits for the end of what is brief leaves the core to this one from here on.
        lane.pointee.busy.store(Busy.delivering, ordering: .releasing)
        platform_lock_acquire(lockIndex)
        let end = endDelivery(lane)
        unlock()
        return end.finish(self)
    }

    /// Delivers a message at once, beside whatever deliveries are in progress. Until this one is known, the mode can change,
    /// and the message has to be sent otherwise. One that was sent before a block still arrives: whoever sends looks for that.
    ///
    /// - Returns: `nil` if it has changed, or nothing can hear the message now.
    @inlinable @inline(never)
    func deliverUnordered(_ message: Message, _ author: Author) -> Outcome? {
        // Threads that send leave each other their lanes.
        platform_lock_acquire(lockIndex)
        guard state.load() & (CoreState.unordered | CoreState.closed) == CoreState.unordered else {
            unlock()
            return nil
        }
        countUnorderedSend()
        return deliverUnorderedUnlocking { offer(message, author, in: $0) }
    }

    /// Makes a delivery. Called with the lock held; releases it.
    @inlinable @inline(never)
    func deliverUnorderedUnlocking(_ deliver: (UnsafeMutablePointer<UnorderedDelivery>) -> Void) -> Outcome {
        var onStack = UnorderedDelivery(thread: platform_thread(), busy: Busy.delivering)
        return withUnsafeMutablePointer(to: &onStack) { onStack in
            let delivery = begin(onStack)
            let hooks = hooks
            unlock()
            hooks?.enter()
            deliver(delivery)
            platform_lock_acquire(lockIndex)
            let end = endDelivery(delivery)
            unlock()
            let outcome = end.finish(self)
            hooks?.leave()
            return outcome
        }
    }

    /// Calls the handlers that are there when it begins.
    @inlinable @inline(__always)
    func offer(_ message: Message, _ author: Author, in delivery: UnsafeMutablePointer<UnorderedDelivery>) {
        guard let entries else { return }
        let count = entries.count
        if count == 1, let record = entries.atomicRecords.pointee.load(ordering: .relaxed), note(record, delivery) {
            receive(entries.handlers, message, author)
        } else {
            offerToMany(entries, count, message, author, delivery)
        }
    }

    @inlinable @inline(never)
    func offerToMany(
        _ entries: Entries<Handler>, _ count: Int, _ message: Message, _ author: Author,
        _ delivery: UnsafeMutablePointer<UnorderedDelivery>
    ) {
        var handler = entries.handlers, record = entries.atomicRecords
        let end = handler + count
        while handler != end {
            if let record = record.pointee.load(ordering: .relaxed) { call(handler, record, message, author, delivery) }
            handler += 1
            record += 1
        }
    }

    @inlinable @inline(__always)
    func call(
        _ handler: UnsafeMutablePointer<Handler>, _ record: RecordPointer, _ message: Message, _ author: Author,
        _ delivery: UnsafeMutablePointer<UnorderedDelivery>
    ) {
        if note(record, delivery) || admits(record) { receive(handler, message, author) }
    }

    /// Notes whose handler is about to be called.
    ///
    /// - Returns: Whether nothing has happened that could forbid the call.
    @inlinable @inline(__always)
    func note(_ record: RecordPointer, _ delivery: UnsafeMutablePointer<UnorderedDelivery>) -> Bool {
        // First the note, then the look, as owners have it.
        delivery.pointee.current.store(record, ordering: .releasing)
        platform_fence_compiler()
        return state.load() & CoreState.attention == 0
    }

    /// Ends a delivery. The lock is held, also beside lanes.
    @usableFromInline
    func endDelivery(_ delivery: UnsafeMutablePointer<UnorderedDelivery>) -> DeliveryEnd<Handler> {
        let hasFailed = delivery.pointee.hasFailed
        delivery.pointee.hasFailed = false
        unlink(delivery)
        let now = state.load()
        let isQuiet = now & ~(CoreState.inLanes | CoreState.alwaysCareful) == CoreState.unordered && wantsUnordered
        // Where messages keep their order again, this has been a lane in which none was delivered.
        guard !isQuiet, now & CoreState.unordered != 0 else {
            return DeliveryEnd(finished: [], isClosing: false, outcome: hasFailed ? .handlerFailed : .sent)
        }
        revokeIfAny()
        announce()
        let finished = reclaim()
        compact()
        return settle(finished, giving: 0, hasFailed ? CoreState.failed : now & CoreState.refused)
    }

    /// Whether something waits for deliveries to end. The lock is held.
    @inlinable var hasRetired: Bool {
        guard let backlog else { return false }
        return !backlog.pointee.retired.isEmpty || !backlog.pointee.oldBlocks.isEmpty
    }

    /// Takes out what was retired and no delivery can see any more. The lock is held, and nothing is in lanes.
    @inlinable
    func reclaim() -> [Finished<Handler>] {
        guard hasRetired, let backlog else { return [] }
        let oldest = oldestDelivery
        // The first has the least number.
        var blocks = 0
        while blocks < backlog.pointee.oldBlocks.count, backlog.pointee.oldBlocks[blocks].number < oldest {
            discard(backlog.pointee.oldBlocks[blocks].base)
            blocks += 1
        }
        if blocks > 0 { backlog.pointee.oldBlocks.removeFirst(blocks) }
        var handlers = 0
        var finished: [Finished<Handler>] = []
        while handlers < backlog.pointee.retired.count, backlog.pointee.retired[handlers].number < oldest {
            let one = backlog.pointee.retired[handlers]
            if one.record.pointee.pins == 0 { finished.append(one.finish()) } else { pin(one.record, one.handler) }
            handlers += 1
        }
        if handlers > 0 { backlog.pointee.retired.removeFirst(handlers) }
        return finished
    }
}
