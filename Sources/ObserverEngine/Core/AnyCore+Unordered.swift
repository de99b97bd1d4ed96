// SPDX-License-Identifier: MIT

import CPlatform
import Synchronization

// Messages that keep no order are delivered by many threads at once, and what a delivery may still read stays until the
// deliveries that had begun by then have ended: blocks of entries, and observations that have ended.
//
// Where only sends have happened for a while, a core is *in lanes*: the threads that have one do in it what a leaner does
// (`AnyCore+Leaning`).
//
//     sends in its lane                       another thread
//     sees `inLanes`                          takes the lock, sees `inLanes`, lowers it
//     stores `busy`                           has every thread pass a fence
//     looks at `state` again                  waits for lanes in which something brief is done, which is to leave
//     delivers, stores `brief`, looks again   knows all deliveries: those that leave from now on take the lock
//
// Until it is in lanes again, and that only when nothing is left of what was retired, sends take the lock to begin and to
// end. So do sends from handlers of the same thread, and those of threads without a lane.
extension AnyCore {
    @inlinable final var lanes: Lane? { details?.pointee.lanes }

    /// The lane of the calling thread.
    @usableFromInline final var ownLane: Lane? { lanes?.own }

    /// Whether messages are being delivered out of order. The lock is held, and nothing is in lanes.
    @inlinable final var isDeliveringUnordered: Bool { isUnordered && oldestDelivery != .max }

    /// What was retired before this number no delivery can see. The lock is held, and nothing is in lanes.
    ///
    /// Where order is kept again, a thread may still have to find that out in its lane, where it delivers nothing.
    @usableFromInline final var oldestDelivery: UInt {
        guard isUnordered, let details else { return .max }
        // On stacks, none began before the one that has been there for longest.
        var oldest = details.pointee.oldestOnStack?.pointee.began ?? .max
        details.forEachInLane { oldest = min(oldest, $0.pointee.began) }
        return oldest
    }

    /// Begins a delivery: in the lane of this thread if that is free, else on its stack. The lock is held, also beside
    /// lanes.
    @usableFromInline
    final func begin(_ onStack: UnsafeMutablePointer<UnorderedDelivery>) -> UnsafeMutablePointer<UnorderedDelivery> {
        let details = makeDetails()
        if let lane = ownLane?.delivery, lane.pointee.busy.load(ordering: .relaxed) == Busy.free {
            lane.pointee.busy.store(Busy.delivering, ordering: .relaxed)
            lane.pointee.began = details.pointee.retired
            return lane
        }
        onStack.pointee.began = details.pointee.retired
        details.link(onStack)
        return onStack
    }

    /// Lets the send report a failed handler whose message this thread delivers: the innermost of them.
    ///
    /// - Returns: Whether there is one.
    @usableFromInline @inline(never)
    final func noteFailure() -> Bool {
        platform_lock_acquire(lockIndex)
        defer { platform_lock_release(lockIndex) }
        guard let innermost = ownDeliveryOnStack ?? busyOwnLane else { return false }
        innermost.pointee.hasFailed = true
        return true
    }

    /// The latest delivery on the stack of this thread. The lock is held.
    private final var ownDeliveryOnStack: UnsafeMutablePointer<UnorderedDelivery>? {
        let thread = platform_thread()
        var delivery = details?.pointee.newestOnStack
        while let one = delivery, one.pointee.thread != thread { delivery = one.pointee.next }
        return delivery
    }

    /// That in its lane is outside all others of a thread: what is on its stack keeps it from getting a lane.
    private final var busyOwnLane: UnsafeMutablePointer<UnorderedDelivery>? {
        guard let lane = ownLane?.delivery, lane.pointee.busy.load(ordering: .relaxed) != Busy.free else { return nil }
        return lane
    }

    /// Ends a delivery, which may be one in a lane. The lock is held.
    @usableFromInline
    final func unlink(_ delivery: UnsafeMutablePointer<UnorderedDelivery>) {
        delivery.pointee.busy.store(Busy.free, ordering: .releasing)
        details?.unlink(delivery)
    }

    /// A number for what is retired now. The lock is held, and `work` is raised, so that deliveries that end look for it.
    @usableFromInline
    final func retire() -> UInt {
        let details = makeDetails()
        details.pointee.retired += 1
        return details.pointee.retired - 1
    }

    /// Counts a send without order. After some in a row this is in lanes, if nothing else is going on, and then the threads
    /// that send get theirs. The lock is held, also beside lanes.
    @usableFromInline
    final func countUnorderedSend() {
        guard idle == 0 else { return }
        if state.load() & CoreState.inLanes != 0 { return makeOwnLane() }
        sendsToLean &-= 1
        guard sendsToLean == 0, isLastRound() else { return }
        guard state.load() == CoreState.unordered, wantsUnordered else { return }
        makeOwnLane()
        // There is none where this is sent in a handler of a message without a lane.
        if lanes != nil { state.openLanes() }
    }

    private final func makeOwnLane() {
        guard ownLane == nil else { return }
        var last = lanes, count = 0
        while let lane = last {
            count += 1
            guard let next = lane.next else { break }
            last = next
        }
        // The deliveries on stacks are looked at last: there may be many.
        guard count < Lane.most, ownDeliveryOnStack == nil else { return }
        let made = Lane(thread: platform_thread())
        guard let last else { return makeDetails().pointee.lanes = made }
        last.header.pointee.next.store(made.base, ordering: .releasing)
    }

    /// Lets the threads that have lanes take the lock. It is held.
    @usableFromInline @inline(never)
    final func revokeLanes() {
        state.closeLanes()
        platform_fence_others()
        var lane = lanes
        while let one = lane {
            let busy = one.delivery
            while busy.pointee.busy.load(ordering: .acquiring) == Busy.brief {
                // It would stay brief for ever in this child process.
                if platform_is_left_behind(busy.pointee.thread, one.header.pointee.forks) {
                    busy.pointee.busy.store(Busy.free, ordering: .relaxed)
                } else {
                    platform_stand_by()
                }
            }
            lane = one.next
        }
    }
}

extension UnsafeMutablePointer<CoreDetails> {
    /// Calls a closure with each delivery in progress, until it returns false.
    func forEachDelivery(_ goesOn: (UnsafeMutablePointer<UnorderedDelivery>) -> Bool) {
        var delivery = pointee.newestOnStack
        while let one = delivery {
            guard goesOn(one) else { return }
            delivery = one.pointee.next
        }
        forEachInLane { _ = goesOn($0) }
    }

    /// Calls a closure with each delivery in a lane: there are few.
    @inline(__always)
    func forEachInLane(_ body: (UnsafeMutablePointer<UnorderedDelivery>) -> Void) {
        var lane = pointee.lanes
        while let one = lane {
            if one.delivery.pointee.busy.load(ordering: .acquiring) != Busy.free { body(one.delivery) }
            lane = one.next
        }
    }

    /// Puts a delivery before all others on stacks.
    func link(_ delivery: UnsafeMutablePointer<UnorderedDelivery>) {
        let newest = pointee.newestOnStack
        delivery.pointee.next = newest
        delivery.pointee.previous = nil
        if let newest { newest.pointee.previous = delivery } else { pointee.oldestOnStack = delivery }
        pointee.newestOnStack = delivery
    }

    /// Takes out a delivery, if it is on a stack.
    func unlink(_ delivery: UnsafeMutablePointer<UnorderedDelivery>) {
        let next = delivery.pointee.next, previous = delivery.pointee.previous
        if let previous {
            previous.pointee.next = next
        } else if pointee.newestOnStack == delivery {
            pointee.newestOnStack = next
        } else {
            return
        }
        if let next { next.pointee.previous = previous } else { pointee.oldestOnStack = previous }
    }
}
