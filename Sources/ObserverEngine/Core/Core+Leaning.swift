// SPDX-License-Identifier: MIT

import CPlatform
import Synchronization

// What the leaner does: see `AnyCore+Leaning`.
extension Core {
    /// Sends a message as the leaner, which is not busy.
    @inlinable @inline(__always)
    func sendLeaning(_ message: Message, _ author: Author) -> Outcome {
        busy.store(Busy.delivering, ordering: .relaxed)
        platform_fence_compiler()
        guard state.load() == CoreState.leaning else { return sendTaken(message, author) }
        offerInPlace(message, author)
        return releaseLeaning()
    }

    /// Goes on from something brief of the leaner to the delivery of a message, which `releaseLeaning` ends.
    ///
    /// - Returns: False if there are no observations: then it has ended.
    @inlinable @inline(__always)
    func beginDeliveringBrief() -> Bool {
        guard state.load() & CoreState.empty == 0 else {
            endBrief(Busy.free)
            return false
        }
        // A thread that waits for the end of what is brief leaves the core to the leaner from here on.
        busy.store(Busy.delivering, ordering: .releasing)
        return true
    }

    @inlinable @inline(__always)
    func releaseLeaning() -> Outcome {
        busy.store(Busy.brief, ordering: .releasing)
        platform_fence_compiler()
        guard state.load() == CoreState.leaning else { return releaseTaken() }
        busy.store(Busy.free, ordering: .releasing)
        return .sent
    }

    /// Sends a message that has found, before its delivery, that something has happened.
    @usableFromInline @inline(never)
    func sendTaken(_ message: Message, _ author: Author) -> Outcome {
        let kept = Handler.copy(message)
        guard acquireTaken() else { return withExtendedLifetime(kept) { sendSlowly(message, author) } }
        guard let kept else {
            _ = drain()
            return .noMemory
        }
        withLock { appendOwn(kept, author) }
        return withHooks { drain() }
    }

    /// Ends a delivery that finds, at its end, that something has happened.
    @usableFromInline @inline(never)
    func releaseTaken() -> Outcome {
        busy.store(Busy.delivering, ordering: .releasing)
        // The thread that takes over a busy core leaves it to the leaner.
        _ = acquireTaken()
        return drain()
    }

    /// Becomes the owner, as the leaner that said it was busy.
    ///
    /// - Returns: False if another thread had come before it said so.
    @inlinable
    func acquireTaken() -> Bool {
        lock()
        defer { unlock() }
        busy.store(Busy.free, ordering: .releasing)
        return state.acknowledgeRevocation()
    }

    /// Lets the core lean to this thread, which owns it.
    @usableFromInline @inline(never)
    func lean() -> Outcome { tryLean() ? .sent : release() }
}
