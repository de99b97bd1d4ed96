// SPDX-License-Identifier: MIT

import CPlatform
import Synchronization

// The bias owner's part: see `AnyCore+Bias`.
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
