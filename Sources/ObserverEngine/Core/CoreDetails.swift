// SPDX-License-Identifier: MIT

import CPlatform

/// What few observables need, so that the others have no room for it. Guarded by the lock of the core.
@usableFromInline
struct CoreDetails {
    /// The unordered deliveries in progress.
    @usableFromInline var unorderedDeliveries: UnsafeMutablePointer<UnorderedDelivery>?
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
}

extension UnsafeMutablePointer<CoreDetails> {
    func end() {
        if let name = pointee.name { platform_free(name) }
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
        details = made
        return made
    }

    @inlinable final var unorderedDeliveries: UnsafeMutablePointer<UnorderedDelivery>? {
        get { details?.pointee.unorderedDeliveries }
        set { makeDetails().pointee.unorderedDeliveries = newValue }
    }

    @inlinable final var hooks: DeliveryHooks? { details?.pointee.hooks }
}

// These take the lock without taking the core over from the thread to which it leans, which uses no details.
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
