// SPDX-License-Identifier: MIT

import CPlatform
import Synchronization

// Law 5: see `AnyCore+Unordered`.
extension Core {
    /// Delivers a message in the reader slot of this thread, if it has one that is free.
    @inlinable @inline(never)
    func sendInReaderSlot(_ message: Message, _ author: Author) -> Outcome {
        let inReaderSlots = CoreState.unordered | CoreState.inReaderSlots
        let readerSlots = sideTable.unsafelyUnwrapped.pointee.readerSlots.unsafelyUnwrapped
        guard let delivery = readerSlots.own?.delivery, delivery.pointee.isIdle else {
            return sendSlowly(message, author)
        }
        delivery.pointee.readerState.store(ReaderState.delivering, ordering: .relaxed)
        platform_fence_compiler()
        guard state.loadAcquiring() == inReaderSlots else { return sendAfterLeaving(delivery, message, author) }
        dispatch(message, author, in: delivery)
        delivery.pointee.readerState.store(ReaderState.critical, ordering: .releasing)
        platform_fence_compiler()
        guard state.load() == inReaderSlots, delivery.pointee.failures == 0 else { return leaveReaderSlot(delivery) }
        delivery.pointee.readerState.store(ReaderState.idle, ordering: .releasing)
        return .sent
    }

    /// Sends a message that has found, before its delivery, that something has happened.
    @usableFromInline @inline(never)
    func sendAfterLeaving(_ delivery: UnsafeMutablePointer<UnorderedDelivery>, _ message: Message, _ author: Author)
        -> Outcome
    {
        let before = leaveReaderSlot(delivery), outcome = sendSlowly(message, author)
        return outcome == .sent ? before : outcome
    }

    /// Ends a delivery in a reader slot that finds, before it or at its end, that something has happened.
    @usableFromInline @inline(never)
    func leaveReaderSlot(_ delivery: UnsafeMutablePointer<UnorderedDelivery>) -> Outcome {
        // A thread that waits for the end of a critical section leaves the core to this one from here on.
        delivery.pointee.readerState.store(ReaderState.delivering, ordering: .releasing)
        platform_lock_acquire(lockIndex)
        let end = endDelivery(delivery)
        unlock()
        return end.finish(self)
    }

    /// Delivers a message at once, beside whatever deliveries are in progress. Until this one is known, the mode can
    /// change, and the message has to be sent otherwise. One that was sent before a block still arrives: the
    /// sender looks for that.
    ///
    /// - Returns: `nil` if it has changed, or nothing can hear the message now.
    @inlinable @inline(never)
    func deliverUnordered(_ message: Message, _ author: Author) -> Outcome? {
        // Threads that send leave each other their reader slots.
        platform_lock_acquire(lockIndex)
        guard state.load() & (CoreState.unordered | CoreState.closed) == CoreState.unordered else {
            unlock()
            return nil
        }
        countUnorderedSend()
        return deliverUnorderedUnlocking {
            if isTraced { dispatchTraced(message, author, in: $0) } else { dispatch(message, author, in: $0) }
        }
    }

    /// Makes a delivery. Called with the lock held; releases it.
    @inlinable @inline(never)
    func deliverUnorderedUnlocking(_ deliver: (UnsafeMutablePointer<UnorderedDelivery>) -> Void) -> Outcome {
        var onStack = UnorderedDelivery(thread: platform_thread(), readerState: ReaderState.delivering)
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
    func dispatch(_ message: Message, _ author: Author, in delivery: UnsafeMutablePointer<UnorderedDelivery>) {
        guard let entries else { return }
        let count = entries.count
        platform_probe_delivery_begin(address, Handler.address(of: author))
        defer { platform_probe_delivery_end(address) }
        if count == 1, let slot = entries.atomicSlots.pointee.load(ordering: .relaxed), protect(slot, delivery) {
            receive(entries.handlers, message, author)
        } else {
            dispatchToMany(entries, count, message, author, delivery)
        }
    }

    @inlinable @inline(never)
    func dispatchToMany(
        _ entries: Entries<Handler>, _ count: Int, _ message: Message, _ author: Author,
        _ delivery: UnsafeMutablePointer<UnorderedDelivery>
    ) {
        var handler = entries.handlers, slot = entries.atomicSlots
        let end = handler + count
        while handler != end {
            if let slot = slot.pointee.load(ordering: .relaxed) { call(handler, slot, message, author, delivery) }
            handler += 1
            slot += 1
        }
    }

    @inlinable @inline(__always)
    func call(
        _ handler: UnsafeMutablePointer<Handler>, _ slot: SlotPointer, _ message: Message, _ author: Author,
        _ delivery: UnsafeMutablePointer<UnorderedDelivery>
    ) {
        if protect(slot, delivery) || revalidate(slot) { receive(handler, message, author) }
    }

    /// Protects an observation whose handler is about to be called.
    ///
    /// - Returns: Whether nothing has happened that could forbid the call.
    @inlinable @inline(__always)
    func protect(_ slot: SlotPointer, _ delivery: UnsafeMutablePointer<UnorderedDelivery>) -> Bool {
        // First the hazard, then the look, as owners have it.
        delivery.pointee.hazard.store(slot, ordering: .releasing)
        platform_fence_compiler()
        return state.load() & CoreState.slowPath == 0
    }

    /// Ends a delivery. The lock is held, also beside reader slots.
    @usableFromInline
    func endDelivery(_ delivery: UnsafeMutablePointer<UnorderedDelivery>) -> DeliveryEnd<Handler> {
        let failures = delivery.pointee.failures
        delivery.pointee.failures = 0
        unlink(delivery)
        let now = state.load()
        let isQuiet =
            now & ~(CoreState.inReaderSlots | CoreState.alwaysRevalidate) == CoreState.unordered && wantsUnordered
        // Where messages keep their order again, this has been a reader slot in which none was delivered.
        guard !isQuiet, now & CoreState.unordered != 0 else {
            return DeliveryEnd(finished: [], isClosing: false, outcome: Outcome(failures))
        }
        revokeIfAny()
        announce()
        let finished = reclaim()
        compact()
        return endDelivery(finished, giving: 0, failures | now & CoreState.refused)
    }

    /// Whether something waits for deliveries to end. The lock is held.
    @inlinable var hasRetired: Bool {
        guard let backlog else { return false }
        return !backlog.pointee.retired.isEmpty || !backlog.pointee.retiredArrays.isEmpty
    }

    /// Takes out what was retired and no delivery can see any more. The lock is held, and nothing is in reader slots.
    @inlinable
    func reclaim() -> [DeferredDestruction<Handler>] {
        guard hasRetired, let backlog else { return [] }
        let oldest = oldestDelivery
        // The first has the least number.
        var blocks = 0
        while blocks < backlog.pointee.retiredArrays.count, backlog.pointee.retiredArrays[blocks].number < oldest {
            discard(backlog.pointee.retiredArrays[blocks].base)
            blocks += 1
        }
        if blocks > 0 { backlog.pointee.retiredArrays.removeFirst(blocks) }
        var handlers = 0
        var finished: [DeferredDestruction<Handler>] = []
        while handlers < backlog.pointee.retired.count, backlog.pointee.retired[handlers].number < oldest {
            let one = backlog.pointee.retired[handlers]
            if one.slot.pointee.pins == 0 { finished.append(one.finish()) } else { pin(one.slot, one.handler) }
            handlers += 1
        }
        if handlers > 0 { backlog.pointee.retired.removeFirst(handlers) }
        return finished
    }
}
