// SPDX-License-Identifier: MIT

import CPlatform
import Synchronization

/// How many sends in a row bias a core.
@usableFromInline
enum SendsToBias {
    #if BIASES_AT_ONCE
        // For tests: everything is biased, and what was taken over soon does so again.
        @usableFromInline static let first: UInt8 = 1
        @usableFromInline static let rounds: UInt8 = 3
    #else
        @usableFromInline static let first: UInt8 = 32
        @usableFromInline static let rounds: UInt8 = 128
    #endif

    /// Once it has been biased: so many times as many.
    @usableFromInline static var again: UInt32 { UInt32(first) * UInt32(rounds) }
}

// A core is biased to the thread that has sent some messages in a row. That thread, the bias owner, does without atomic
// operations what others need `owned` for:
//
//     bias owner                              another thread
//     sees `biased`, and itself in `owner`    takes the lock, sees `biased`
//     stores `readerState`                    raises `revoked`
//     looks at `state` again                  fences every thread
//     delivers, or reads or writes a value    reads `readerState`
//     stores `readerState`, looks again
//
// The fence is the kernel's (membarrier), so the bias owner needs none: either the other thread finds it busy, or it
// finds `revoked`. Where it was delivering, the other thread makes it the owner, and the bias owner finds that at the
// end of the delivery, with all that waits by then. Where it was not, the core is biased no more, and is as any other
// one. While the bias owner is leaving, the other thread waits for these few instructions: so the last that the bias
// owner does with a core is to store `idle`, and the core may be gone after that.
//
// Where the bias owner itself takes the lock during its own delivery, it becomes the owner in the same way, without a
// fence.
//
// A core is biased to one thread alone in its life: another one, late between its two looks, could write
// `readerState` beside the present one. And it is biased again only after many sends in a row, so the price of taking
// over is paid once.
extension AnyCore {
    @inlinable final var isBiasOwnerIdle: Bool {
        owner.load(ordering: .relaxed) == platform_thread() && readerState.load(ordering: .relaxed) == ReaderState.idle
    }

    /// Whether a message would have to wait now.
    ///
    /// Not of one that is biased: who sends then takes the lock, and after that there is an owner.
    @inlinable final var isDelivering: Bool {
        state.load() & (CoreState.owned | CoreState.offered) != 0
    }

    /// Notes that this thread owns, because it sends.
    ///
    /// - Returns: Whether it has done so often enough to bias this to it.
    @inlinable
    final func countSend() -> Bool {
        let thread = platform_thread()
        guard owner.load(ordering: .relaxed) == thread else {
            owner.store(thread, ordering: .relaxed)
            restartCount()
            return false
        }
        sendsToBias &-= 1
        return sendsToBias == 0 && isLastRound()
    }

    /// Begins to count the sends in a row.
    @usableFromInline @inline(never)
    final func restartCount() {
        sendsToBias = SendsToBias.first
        guard let sideTable = sideTableUnlocked else { return }
        let rounds = sideTable.pointee.biasOwner == 0 && !isUnordered ? 1 : SendsToBias.rounds
        sideTable.pointee.roundsToBias.store(rounds, ordering: .relaxed)
    }

    /// Notes that a round of sends has been counted.
    ///
    /// - Returns: Whether it was the last one. Then the next ones are as many as where this has been biased.
    @usableFromInline @inline(never)
    final func isLastRound() -> Bool {
        sendsToBias = SendsToBias.first
        guard let sideTable = sideTableUnlocked else { return true }
        let left = sideTable.pointee.roundsToBias.load(ordering: .relaxed) &- 1
        sideTable.pointee.roundsToBias.store(left == 0 ? SendsToBias.rounds : left, ordering: .relaxed)
        return left == 0
    }

    /// Biases this to the owner, instead of giving ownership back, unless something waits for the owner. Under the
    /// lock, because another thread that holds it has seen that nothing is biased.
    @usableFromInline
    final func tryBias() -> Bool {
        guard idle == 0 else { return false }
        let thread = owner.load(ordering: .relaxed)
        lock()
        defer { unlock() }
        guard setBiasOwner(thread) else { return false }
        return state.tryBias()
    }

    /// Sets the thread that this is to be biased to. The lock is held.
    ///
    /// - Returns: False if it has been biased to another one.
    @inline(never)
    private final func setBiasOwner(_ thread: UInt) -> Bool {
        guard biasOwner == 0 || biasOwner == thread else { return false }
        let sideTable = makeSideTable()
        sideTable.pointee.biasOwner = thread
        sideTable.pointee.roundsToBias.store(SendsToBias.rounds, ordering: .relaxed)
        sideTable.pointee.forks = platform_forks()
        platform_let_pass()
        return true
    }

    /// Notes that this thread uses the core, and biases it to this thread once it has done so often enough. The lock is
    /// held.
    @inlinable @inline(__always)
    final func countUse(_ user: inout UInt, _ usesToBias: inout UInt32) {
        if user == platform_thread(), usesToBias > 1 {
            usesToBias &-= 1
        } else {
            countUseSlowly(&user, &usesToBias)
        }
    }

    /// The same where it is another thread's turn, or often enough.
    @usableFromInline @inline(never)
    final func countUseSlowly(_ user: inout UInt, _ usesToBias: inout UInt32) {
        let thread = platform_thread()
        if user != thread {
            user = thread
            usesToBias = biasOwner == 0 ? UInt32(SendsToBias.first) : SendsToBias.again
            return
        }
        usesToBias &-= 1
        guard usesToBias == 0 else { return }
        usesToBias = SendsToBias.again
        let never = CoreState.closed | CoreState.unordered | CoreState.offered | CoreState.biased
        guard idle == 0, biasOwner == 0 || biasOwner == thread, state.load() & never == 0,
            state.tryAcquire()
        else { return }
        owner.store(thread, ordering: .relaxed)
        _ = setBiasOwner(thread)
        state.bias()
    }

    /// Whether this is biased to the calling thread, and that may go past locks now. What else has happened is found by
    /// the second look: only the thread to which this is biased writes `readerState`, and no other one gets as far.
    @inlinable @inline(__always)
    final var isBiasedToPassing: Bool {
        state.load() & CoreState.biased != 0 && owner.load(ordering: .relaxed) == platform_thread_passing()
    }

    /// Begins a critical section, if this is biased to the calling thread, and nothing has happened to it.
    ///
    /// - Returns: What was being done; end with that.
    @inlinable @inline(__always)
    final func enterCritical() -> UInt8? {
        guard isBiasedToPassing else { return nil }
        let before = readerState.load(ordering: .relaxed)
        readerState.store(ReaderState.critical, ordering: .relaxed)
        platform_fence_compiler()
        if state.load() & ~CoreState.empty == CoreState.biased { return before }
        leaveCritical(before)
        return nil
    }

    /// Begins a critical section, if this is biased to the calling thread, which is not busy, and nothing has
    /// happened to it.
    ///
    /// - Returns: Whether it has begun; end with `ReaderState.idle` then.
    @inlinable @inline(__always)
    final func tryEnterCritical() -> Bool {
        guard isBiasedToPassing, readerState.load(ordering: .relaxed) == ReaderState.idle else { return false }
        readerState.store(ReaderState.critical, ordering: .relaxed)
        platform_fence_compiler()
        if state.load() & ~CoreState.empty == CoreState.biased { return true }
        leaveCritical(ReaderState.idle)
        return false
    }

    @inlinable @inline(__always)
    final func leaveCritical(_ before: UInt8) { readerState.store(before, ordering: .releasing) }

    /// Call this where the lock was taken without its core.
    @inlinable final func revokeIfAny() {
        if state.load() & CoreState.revocable != 0 { revoke() }
    }

    @usableFromInline @inline(never)
    final func revoke() {
        if state.load() & CoreState.biased != 0 { revokeBias() } else { revokeReaderSlots() }
    }

    /// Makes the state say what the bias owner does, as it says of owners. The lock is held.
    private final func revokeBias() {
        if owner.load(ordering: .relaxed) == platform_thread() {
            switch readerState.load(ordering: .relaxed) {
            case ReaderState.delivering: state.ownAsBiasOwner()
            // No critical section takes the lock: a thread of the parent process was so, in whose place this one is.
            case ReaderState.critical: readerState.store(ReaderState.idle, ordering: .relaxed)
            default: break
            }
            return
        }
        state.revokeBias()
        platform_fence_others()
        // Once it has been found not to be in a critical section it may be so again, and then finds `revoked`.
        var found = readerState.load(ordering: .acquiring)
        while found == ReaderState.critical {
            if platform_is_left_behind(owner.load(ordering: .relaxed), sideTable.unsafelyUnwrapped.pointee.forks) {
                // It would stay in a critical section for ever in this child process.
                readerState.store(ReaderState.idle, ordering: .relaxed)
                found = ReaderState.idle
            } else {
                platform_stand_by()
                found = readerState.load(ordering: .acquiring)
            }
        }
        if found == ReaderState.idle {
            state.endBias()
        } else {
            state.makeBiasOwnerOwner()
        }
    }
}

// The part of the bias owner.
extension Core {
    /// Sends a message as the bias owner, which is not busy.
    @inlinable @inline(__always)
    func sendBiased(_ message: Message, _ author: Author) -> Outcome {
        readerState.store(ReaderState.delivering, ordering: .relaxed)
        platform_fence_compiler()
        guard state.load() == CoreState.biased else { return sendRevoked(message, author) }
        dispatchInline(message, author)
        return releaseBiased()
    }

    /// Goes on from a critical section of the bias owner to the delivery of a message, which `releaseBiased` ends.
    ///
    /// - Returns: False if there are no observations: then it has ended.
    @inlinable @inline(__always)
    func deliverFromCritical() -> Bool {
        guard state.load() & CoreState.empty == 0 else {
            leaveCritical(ReaderState.idle)
            return false
        }
        // A thread that waits for the end of a critical section leaves the core to the bias owner from here on.
        readerState.store(ReaderState.delivering, ordering: .releasing)
        return true
    }

    @inlinable @inline(__always)
    func releaseBiased() -> Outcome {
        readerState.store(ReaderState.critical, ordering: .releasing)
        platform_fence_compiler()
        guard state.load() == CoreState.biased else { return releaseRevoked() }
        readerState.store(ReaderState.idle, ordering: .releasing)
        return .sent
    }

    /// Sends a message that has found, before its delivery, that something has happened.
    @usableFromInline @inline(never)
    func sendRevoked(_ message: Message, _ author: Author) -> Outcome {
        let kept = Handler.copy(message)
        guard acquireRevoked() else { return withExtendedLifetime(kept) { sendSlowly(message, author) } }
        guard let kept else {
            _ = drain()
            return .noMemory
        }
        withLock { appendOwn(kept, author) }
        return withHooks { drain() }
    }

    /// Ends a delivery that finds, at its end, that something has happened.
    @usableFromInline @inline(never)
    func releaseRevoked() -> Outcome {
        readerState.store(ReaderState.delivering, ordering: .releasing)
        // The thread that takes over a busy core leaves it to the bias owner.
        _ = acquireRevoked()
        return drain()
    }

    /// Becomes the owner, as the bias owner that said it was busy.
    ///
    /// - Returns: False if another thread had come before it said so.
    @inlinable
    func acquireRevoked() -> Bool {
        lock()
        defer { unlock() }
        readerState.store(ReaderState.idle, ordering: .releasing)
        return state.acknowledgeRevocation()
    }

    /// Biases the core to this thread, which owns it.
    @usableFromInline @inline(never)
    func bias() -> Outcome { tryBias() ? .sent : release() }
}
