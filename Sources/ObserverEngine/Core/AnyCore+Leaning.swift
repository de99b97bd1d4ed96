// SPDX-License-Identifier: MIT

import CPlatform
import Synchronization

/// What the thread to which a core leans is doing.
@usableFromInline
enum Busy {
    @usableFromInline static let free: UInt8 = 0
    /// It delivers, and may for long.
    @usableFromInline static let delivering: UInt8 = 1
    /// It does something short that runs no foreign code: another thread waits for the end of it.
    @usableFromInline static let brief: UInt8 = 2
}

/// How many sends in a row make a core lean.
@usableFromInline
enum SendsToLean {
    #if LEANS_AT_ONCE
        // For tests: everything leans, and what was taken over soon does so again.
        @usableFromInline static let first: UInt8 = 1
        @usableFromInline static let rounds: UInt8 = 3
    #else
        @usableFromInline static let first: UInt8 = 32
        @usableFromInline static let rounds: UInt8 = 128
    #endif

    /// Once it has leaned: so many times as many.
    @usableFromInline static var again: UInt32 { UInt32(first) * UInt32(rounds) }
}

// A core leans to the thread that has sent some messages in a row. That thread, the leaner, does without atomic
// operations what others need `owned` for:
//
//     leaner                                  another thread
//     sees `leaning`, and itself in `owner`   takes the lock, sees `leaning`
//     stores `busy`                           raises `taken`
//     looks at `state` again                  has every thread pass a fence
//     delivers, or reads or writes a value    reads `busy`
//     stores `busy`, looks again
//
// The fence is the kernel's (membarrier), so the leaner needs none: either the other thread finds it busy, or it finds
// `taken`. Where it was delivering, the other thread makes it the owner, and the leaner finds that at the end of the
// delivery, with all that waits by then. Where it was not, the core leans no more, and is as any other one.
// While the leaner is leaving, the other thread waits for these few instructions: so the last that the leaner does with
// a core is to store `free`, and the core may be gone after that.
//
// Where the leaner itself takes the lock during its own delivery, it becomes the owner in the same way, without a fence.
//
// A core leans to one thread alone in its life: another one, late between its two looks, could write `busy` beside the
// present one. And it leans again only after many sends in a row, so the price of taking over is paid once.
extension AnyCore {
    @inlinable final var isLeanerFree: Bool {
        owner.load(ordering: .relaxed) == platform_thread() && busy.load(ordering: .relaxed) == Busy.free
    }

    /// Whether a message would have to wait now.
    ///
    /// Not of one that leans: who sends then takes the lock, and after that there is an owner.
    @inlinable final var isDelivering: Bool {
        state.load() & (CoreState.owned | CoreState.relinquished) != 0
    }

    /// Notes that this thread owns, because it sends.
    ///
    /// - Returns: Whether it has done so often enough for this to lean to it.
    @inlinable
    final func countSend() -> Bool {
        let thread = platform_thread()
        guard owner.load(ordering: .relaxed) == thread else {
            owner.store(thread, ordering: .relaxed)
            countAnew()
            return false
        }
        sendsToLean &-= 1
        return sendsToLean == 0 && isLastRound()
    }

    /// Begins to count the sends in a row.
    @usableFromInline @inline(never)
    final func countAnew() {
        sendsToLean = SendsToLean.first
        guard let usage = usageUnlocked else { return }
        let rounds = usage.pointee.leaner == 0 && !isUnordered ? 1 : SendsToLean.rounds
        usage.pointee.roundsToLean.store(rounds, ordering: .relaxed)
    }

    /// Notes that a round of sends has been counted.
    ///
    /// - Returns: Whether it was the last one. Then the next ones are as many as where this has leaned.
    @usableFromInline @inline(never)
    final func isLastRound() -> Bool {
        sendsToLean = SendsToLean.first
        guard let usage = usageUnlocked else { return true }
        let left = usage.pointee.roundsToLean.load(ordering: .relaxed) &- 1
        usage.pointee.roundsToLean.store(left == 0 ? SendsToLean.rounds : left, ordering: .relaxed)
        return left == 0
    }

    /// Lets this lean to the owner, instead of giving ownership back, unless something waits for the owner. Under the
    /// lock, because another thread that holds it has seen that nothing leans.
    @usableFromInline
    final func tryLean() -> Bool {
        guard idle == 0 else { return false }
        let thread = owner.load(ordering: .relaxed)
        lock()
        defer { unlock() }
        guard noteLeaner(thread) else { return false }
        return state.tryBias()
    }

    /// Notes that this is to lean to a thread. The lock is held.
    ///
    /// - Returns: False if it has leaned to another one.
    @inline(never)
    private final func noteLeaner(_ thread: UInt) -> Bool {
        guard leaner == 0 || leaner == thread else { return false }
        let usage = makeUsage()
        usage.pointee.leaner = thread
        usage.pointee.roundsToLean.store(SendsToLean.rounds, ordering: .relaxed)
        usage.pointee.forks = platform_forks()
        return true
    }

    /// Notes that this thread uses the core, and lets it lean to this thread once it has done so often enough. The lock is
    /// held.
    @usableFromInline
    final func countUse(_ user: inout UInt, _ usesToLean: inout UInt32) {
        let thread = platform_thread()
        if user != thread {
            user = thread
            usesToLean = leaner == 0 ? UInt32(SendsToLean.first) : SendsToLean.again
            return
        }
        usesToLean &-= 1
        guard usesToLean == 0 else { return }
        usesToLean = SendsToLean.again
        let never = CoreState.closed | CoreState.unordered | CoreState.relinquished | CoreState.leaning
        guard idle == 0, leaner == 0 || leaner == thread, state.load() & never == 0,
            state.tryAcquire()
        else { return }
        owner.store(thread, ordering: .relaxed)
        _ = noteLeaner(thread)
        state.bias()
    }

    /// Begins something brief, if this leans to the calling thread, and nothing has happened to it.
    ///
    /// - Returns: What was being done; end with that.
    @inlinable @inline(__always)
    final func beginBrief() -> UInt8? {
        guard state.load() & ~CoreState.empty == CoreState.leaning,
            owner.load(ordering: .relaxed) == platform_thread()
        else { return nil }
        let before = busy.load(ordering: .relaxed)
        busy.store(Busy.brief, ordering: .relaxed)
        platform_fence_compiler()
        if state.load() & ~CoreState.empty == CoreState.leaning { return before }
        endBrief(before)
        return nil
    }

    /// Begins something brief, if this leans to the calling thread, which is not busy, and nothing has happened to it.
    ///
    /// - Returns: Whether it has begun; end with `Busy.free` then.
    @inlinable @inline(__always)
    final func beginBriefFree() -> Bool {
        guard state.load() & ~CoreState.empty == CoreState.leaning, isLeanerFree else { return false }
        busy.store(Busy.brief, ordering: .relaxed)
        platform_fence_compiler()
        if state.load() & ~CoreState.empty == CoreState.leaning { return true }
        endBrief(Busy.free)
        return false
    }

    @inlinable @inline(__always)
    final func endBrief(_ before: UInt8) { busy.store(before, ordering: .releasing) }

    /// Call this where the lock was taken without its core.
    @inlinable final func revokeIfAny() {
        if state.load() & CoreState.revocable != 0 { revoke() }
    }

    @usableFromInline @inline(never)
    final func revoke() {
        if state.load() & CoreState.leaning != 0 { revokeLeaning() } else { revokeLanes() }
    }

    /// Makes the state say what the leaner does, as it says of owners. The lock is held.
    private final func revokeLeaning() {
        if owner.load(ordering: .relaxed) == platform_thread() {
            switch busy.load(ordering: .relaxed) {
            case Busy.delivering: state.ownAsLeaner()
            // Nothing brief takes the lock: a thread of the parent process was so, in whose place this one is.
            case Busy.brief: busy.store(Busy.free, ordering: .relaxed)
            default: break
            }
            return
        }
        state.revokeBias()
        platform_fence_others()
        // Once it has been found not to be brief it may be so again, and then finds `taken`.
        var found = busy.load(ordering: .acquiring)
        while found == Busy.brief {
            if platform_is_left_behind(owner.load(ordering: .relaxed), usage.unsafelyUnwrapped.pointee.forks) {
                // It would stay brief for ever in this child process.
                busy.store(Busy.free, ordering: .relaxed)
                found = Busy.free
            } else {
                platform_stand_by()
                found = busy.load(ordering: .acquiring)
            }
        }
        if found == Busy.free {
            state.endBias()
        } else {
            state.makeLeanerOwner()
        }
    }
}
