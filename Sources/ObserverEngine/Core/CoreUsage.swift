// SPDX-License-Identifier: MIT

import CPlatform
import Synchronization

/// What an observable needs with which more is done than to observe it and to send now and then, so that the others
/// have no room for it. Guarded by the lock of the core where nothing else is said.
@usableFromInline
struct CoreUsage: ~Copyable {
    /// What few observables need.
    @usableFromInline var details: UnsafeMutablePointer<CoreDetails>?
    /// A `Backlog` of the core's kind of handlers, made when there is something in it.
    @usableFromInline var backlog: UnsafeMutableRawPointer?
    /// What a graph of derived variables knows this as. Set once.
    @usableFromInline var node: UnsafeMutableRawPointer?
    /// The thread to which this may be biased, once it has. Read by owners, too.
    @usableFromInline var biasOwner: UInt = 0
    /// How many forks there had been when this was last biased.
    @usableFromInline var forks: UInt32 = 0
    /// How many observations are blocked.
    @usableFromInline var blockedCount: UInt32 = 0
    /// Any thread reads this.
    @usableFromInline let budget = Atomic(CoreState.budget)
    /// How often a count of `sendsToBias` still has to end before this is biased. Only those write here whom
    /// `sendsToBias` says.
    @usableFromInline let roundsToBias = Atomic<UInt8>(1)
    /// The mode asked for; it comes into force when no delivery is in progress.
    @usableFromInline var wantsUnordered = false
    /// Whether what has come since the owner last looked has come from another thread, too.
    @usableFromInline var isShared = false

    @usableFromInline init() {}
}

/// A function of C that ends what a graph knows a core as, once there is one.
let endingOfNodes = Atomic<UInt>(0)

extension CoreUsage {
    /// Only `details` owns anything: nothing else has to be deinitialized, which Debian's compilers cannot do with an
    /// `Atomic` in the deinit of a class.
    @inline(never)
    static func end(_ usage: UnsafeMutablePointer<CoreUsage>) {
        if let details = usage.pointee.details { details.end() }
        if usage.pointee.node != nil { endNode(usage) }
        UnsafeMutableRawPointer(usage).deallocate()
    }

    @inline(never)
    private static func endNode(_ usage: UnsafeMutablePointer<CoreUsage>) {
        let end = unsafeBitCast(
            endingOfNodes.load(ordering: .relaxed), to: (@convention(c) (UnsafeMutableRawPointer) -> Void).self)
        end(usage.pointee.node.unsafelyUnwrapped)
    }
}

extension AnyCore {
    /// The lock is held, or it is known that this was there before something else that this thread has seen.
    @inlinable final var usage: UnsafeMutablePointer<CoreUsage>? { usagePointer.load(ordering: .relaxed) }

    /// The same for any thread.
    @inlinable final var usageUnlocked: UnsafeMutablePointer<CoreUsage>? { usagePointer.load(ordering: .acquiring) }

    /// The lock is held.
    @usableFromInline @inline(never)
    final func makeUsage() -> UnsafeMutablePointer<CoreUsage> {
        if let usage { return usage }
        let made = UnsafeMutablePointer.allocate(initializing: CoreUsage())
        usagePointer.store(made, ordering: .releasing)
        return made
    }

    @inlinable final var details: UnsafeMutablePointer<CoreDetails>? { usage?.pointee.details }

    /// The thread to which this may be biased, once it has.
    @inlinable final var biasOwner: UInt { usage?.pointee.biasOwner ?? 0 }

    /// How many observations are blocked. The lock is held. Assigned, not added to in place, which would be an access
    /// to all of the use, beside those who read `details` without the lock.
    @inlinable final var blockedCount: UInt32 {
        get { usage?.pointee.blockedCount ?? 0 }
        set { makeUsage().pointee.blockedCount = newValue }
    }

    /// The lock is held.
    @inlinable final var wantsUnordered: Bool { usage?.pointee.wantsUnordered ?? false }

    /// The lock is held.
    @inlinable final var isShared: Bool {
        get { usage?.pointee.isShared ?? false }
        set { usage?.pointee.isShared = newValue }
    }

    /// Notes that something comes from another thread than the owner. The lock is held.
    @usableFromInline @inline(never)
    final func markShared() { makeUsage().pointee.isShared = true }
}
