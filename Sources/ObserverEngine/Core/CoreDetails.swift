// SPDX-License-Identifier: MIT

import CPlatform

/// What few observables need, so that the others have no room for it. Guarded by the lock of the core.
@usableFromInline
struct CoreDetails {
    /// The unordered deliveries in progress on the stacks of their threads: the newest one, and the oldest.
    @usableFromInline var newestOnStack: UnsafeMutablePointer<UnorderedDelivery>?
    @usableFromInline var oldestOnStack: UnsafeMutablePointer<UnorderedDelivery>?
    /// The first of the reader slots. Set once, before the core is in reader slots.
    @usableFromInline var readerSlots: ReaderSlot?
    /// How much has been retired.
    @usableFromInline var retired: UInt = 0
    /// What is done around each delivery.
    @usableFromInline var hooks: DeliveryHooks?
    /// Called with the number of observations left after each end while the observable lives, without a lock. Set once.
    @usableFromInline var left: ((_ remaining: Int) -> Void)?
    /// What the observable is called, in memory of `malloc`.
    var name: UnsafeMutablePointer<CChar>?
    /// How often this has been blocked and not unblocked yet.
    var blocks: UInt32 = 0
    /// How many messages executors have refused.
    var refusals = 0
    /// The thread that alone delivers, by its identity; 0 if every thread may. Set once.
    var home: UInt64 = 0
}

extension UnsafeMutablePointer<CoreDetails> {
    func end() {
        if let name = pointee.name { platform_free(name) }
        var readerSlot = pointee.readerSlots
        while let one = readerSlot {
            readerSlot = one.next
            one.base.deallocate()
        }
        deinitialize(count: 1)
        deallocate()
    }
}

// The lock is held.
extension AnyCore {
    @usableFromInline @inline(never)
    final func makeDetails() -> UnsafeMutablePointer<CoreDetails> {
        if let details { return details }
        let made = UnsafeMutablePointer.allocate(initializing: CoreDetails())
        makeUsage().pointee.details = made
        return made
    }

    @inlinable final var hooks: DeliveryHooks? { details?.pointee.hooks }
}

// These take the lock without taking the core over from the thread to which it is biased, which uses no details.
extension AnyCore {
    /// How many messages executors have refused.
    public final var refusals: Int {
        platform_lock_acquire(lockIndex)
        defer { platform_lock_release(lockIndex) }
        return details?.pointee.refusals ?? 0
    }

    /// Counts a message that an executor has refused.
    public final func countRefusal() {
        platform_lock_acquire(lockIndex)
        defer { platform_lock_release(lockIndex) }
        makeDetails().pointee.refusals += 1
    }
}
