// SPDX-License-Identifier: MIT

import CPlatform
import Synchronization

// Messages that keep no order are delivered by many threads at once, and what a delivery may still read stays until the
// deliveries that had begun by then have ended: blocks of entries, and observations that have ended.
//
// Where only sends have happened for a while, a core is *in reader slots*: the threads that have one do in it what a
// bias owner does (`Bias.swift`).
//
//     sends in its reader slot                   another thread
//     sees `inReaderSlots`                       takes the lock, sees `inReaderSlots`, lowers it
//     stores `readerState`                       fences every thread
//     looks at `state` again                     waits for critical sections, which are to leave
//     delivers, stores `critical`, looks again   knows all deliveries: those that leave from now on take the lock
//
// Until it is in reader slots again, and that only when nothing is left of what was retired, sends take the lock to
// begin and to end. So do sends from handlers of the same thread, and those of threads without a reader slot.
extension AnyCore {
    @inlinable final var readerSlots: ReaderSlot? { sideTable?.pointee.readerSlots }

    /// The reader slot of the calling thread.
    @usableFromInline final var ownReaderSlot: ReaderSlot? { readerSlots?.own }

    /// Whether messages are being delivered out of order. The lock is held, and nothing is in reader slots.
    @inlinable final var isDeliveringUnordered: Bool { isUnordered && oldestDelivery != .max }

    /// What was retired before this number no delivery can see. The lock is held, and nothing is in reader slots.
    ///
    /// Where order is kept again, a thread may still have to find that out in its reader slot, where it delivers
    /// nothing.
    @usableFromInline final var oldestDelivery: UInt {
        guard isUnordered, let sideTable else { return .max }
        // On stacks, none began before the one that has been there for longest.
        var oldest = sideTable.pointee.oldestOnStack?.pointee.began ?? .max
        forEachInReaderSlot { oldest = min(oldest, $0.pointee.began) }
        return oldest
    }

    /// Begins a delivery: in the reader slot of this thread if that is free, else on its stack. The lock is held,
    /// also beside reader slots.
    @usableFromInline
    final func begin(_ onStack: UnsafeMutablePointer<UnorderedDelivery>) -> UnsafeMutablePointer<UnorderedDelivery> {
        let sideTable = makeSideTable()
        if let delivery = ownReaderSlot?.delivery, delivery.pointee.isIdle {
            delivery.pointee.readerState.store(ReaderState.delivering, ordering: .relaxed)
            delivery.pointee.began = sideTable.pointee.retired
            return delivery
        }
        onStack.pointee.began = sideTable.pointee.retired
        link(onStack)
        return onStack
    }

    /// Lets the send report a failure whose message this thread delivers: the innermost of them.
    ///
    /// - Returns: Whether there is one.
    @usableFromInline @inline(never)
    final func noteFailure(_ failure: UInt32) -> Bool {
        platform_lock_acquire(lockIndex)
        defer { platform_lock_release(lockIndex) }
        guard let innermost = ownDeliveryOnStack ?? busyOwnReaderSlot else { return false }
        innermost.pointee.failures |= failure
        return true
    }

    /// The latest delivery on the stack of this thread. The lock is held.
    private final var ownDeliveryOnStack: UnsafeMutablePointer<UnorderedDelivery>? {
        let thread = platform_thread()
        var delivery = sideTable?.pointee.newestOnStack
        while let one = delivery, one.pointee.thread != thread { delivery = one.pointee.next }
        return delivery
    }

    /// That in its reader slot is outside all others of a thread: what is on its stack keeps it from getting a reader
    /// slot.
    private final var busyOwnReaderSlot: UnsafeMutablePointer<UnorderedDelivery>? {
        guard let delivery = ownReaderSlot?.delivery, !delivery.pointee.isIdle else { return nil }
        return delivery
    }

    /// Ends a delivery, which may be one in a reader slot. The lock is held.
    @usableFromInline
    final func unlink(_ delivery: UnsafeMutablePointer<UnorderedDelivery>) {
        delivery.pointee.readerState.store(ReaderState.idle, ordering: .releasing)
        unlinkFromStack(delivery)
    }

    /// A number for what is retired now. The lock is held, and `work` is raised, so that deliveries that end look for
    /// it.
    @usableFromInline
    final func retire() -> UInt {
        let table = makeSideTable(), number = table.pointee.retired
        table.pointee.retired = number + 1
        return number
    }

    /// Counts a send without order. After some in a row this is in reader slots, if nothing else is going on, and
    /// then the threads that send get theirs. The lock is held, also beside reader slots.
    @usableFromInline
    final func countUnorderedSend() {
        guard idle == 0 else { return }
        if state.load() & CoreState.inReaderSlots != 0 { return makeOwnReaderSlot() }
        sendsToBias &-= 1
        guard sendsToBias == 0, isLastRound() else { return }
        guard state.load() == CoreState.unordered, wantsUnordered else { return }
        makeOwnReaderSlot()
        // There is none where this is sent in a handler of a message without a reader slot.
        if readerSlots != nil { state.openReaderSlots() }
    }

    private final func makeOwnReaderSlot() {
        guard ownReaderSlot == nil else { return }
        var last = readerSlots, count = 0
        while let readerSlot = last {
            count += 1
            guard let next = readerSlot.next else { break }
            last = next
        }
        // The deliveries on stacks are looked at last: there may be many.
        guard count < ReaderSlot.most, ownDeliveryOnStack == nil else { return }
        let made = ReaderSlot(thread: platform_thread())
        guard let last else { return makeSideTable().pointee.readerSlots = made }
        last.header.pointee.next.store(made.base, ordering: .releasing)
    }

    /// Lets the threads that have reader slots take the lock. It is held.
    @usableFromInline @inline(never)
    final func revokeReaderSlots() {
        state.closeReaderSlots()
        platform_fence_others()
        var readerSlot = readerSlots
        while let one = readerSlot {
            let delivery = one.delivery
            while delivery.pointee.readerState.load(ordering: .acquiring) == ReaderState.critical {
                // It would stay in a critical section for ever in this child process.
                if platform_is_left_behind(delivery.pointee.thread, one.header.pointee.forks) {
                    delivery.pointee.readerState.store(ReaderState.idle, ordering: .relaxed)
                } else {
                    platform_stand_by()
                }
            }
            readerSlot = one.next
        }
    }
}

extension AnyCore {
    /// Calls a closure with each delivery in progress, until it returns false. The lock is held.
    final func forEachDelivery(_ body: (UnsafeMutablePointer<UnorderedDelivery>) -> Bool) {
        var delivery = sideTable?.pointee.newestOnStack
        while let one = delivery {
            guard body(one) else { return }
            delivery = one.pointee.next
        }
        forEachInReaderSlot { _ = body($0) }
    }

    /// Calls a closure with each delivery in a reader slot: there are few. The lock is held.
    @inline(__always)
    private final func forEachInReaderSlot(_ body: (UnsafeMutablePointer<UnorderedDelivery>) -> Void) {
        var readerSlot = readerSlots
        while let one = readerSlot {
            if one.delivery.pointee.readerState.load(ordering: .acquiring) != ReaderState.idle { body(one.delivery) }
            readerSlot = one.next
        }
    }

    /// Puts a delivery before all others on stacks. The lock is held.
    private final func link(_ delivery: UnsafeMutablePointer<UnorderedDelivery>) {
        let table = makeSideTable(), newest = table.pointee.newestOnStack
        delivery.pointee.next = newest
        delivery.pointee.previous = nil
        if let newest { newest.pointee.previous = delivery } else { table.pointee.oldestOnStack = delivery }
        table.pointee.newestOnStack = delivery
    }

    /// Takes out a delivery, if it is on a stack. The lock is held.
    private final func unlinkFromStack(_ delivery: UnsafeMutablePointer<UnorderedDelivery>) {
        let table = makeSideTable(), next = delivery.pointee.next, previous = delivery.pointee.previous
        if let previous {
            previous.pointee.next = next
        } else if table.pointee.newestOnStack == delivery {
            table.pointee.newestOnStack = next
        } else {
            return
        }
        if let next { next.pointee.previous = previous } else { table.pointee.oldestOnStack = previous }
    }
}

// What a send does (law 5).
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
