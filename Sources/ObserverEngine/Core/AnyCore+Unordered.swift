// SPDX-License-Identifier: MIT

import CPlatform
import Synchronization

// Messages that keep no order are delivered by many threads at once, and what a delivery may still read stays until the
// deliveries that had begun by then have ended: blocks of entries, and observations that have ended.
//
// Where only sends have happened for a while, a core is *in reader slots*: the threads that have one do in it what a
// bias owner does (`AnyCore+Bias`).
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
