// SPDX-License-Identifier: MIT

import CPlatform
import Synchronization

/// An unordered delivery: on the stack of its thread, or in a reader slot.
@usableFromInline
struct UnorderedDelivery: ~Copyable {
    /// The observation whose handler is about to be called or is running.
    @usableFromInline let hazard = Atomic<SlotPointer?>(nil)
    /// The activity of its thread; that one alone writes here.
    @usableFromInline let readerState: Atomic<UInt8>
    /// What has failed that it called, as bits of a state word. Its thread alone uses this.
    @usableFromInline var failures: UInt32 = 0
    @usableFromInline let thread: UInt
    /// How much had been retired when it began, or when one in the same reader slot did. Guarded by the lock.
    @usableFromInline var began: UInt = 0
    /// The one on a stack that began before it, and the one that began after it. Guarded by the lock.
    @usableFromInline var next: UnsafeMutablePointer<UnorderedDelivery>?
    @usableFromInline var previous: UnsafeMutablePointer<UnorderedDelivery>?

    @inlinable init(thread: UInt, readerState: UInt8) {
        self.thread = thread
        self.readerState = Atomic(readerState)
    }

    @inlinable var isIdle: Bool { readerState.load(ordering: .relaxed) == ReaderState.idle }
}

/// A delivery that a thread uses again for each message, so that it begins and ends without the lock.
///
///     thread next ... | hazard readerState ...
///
/// All threads read the first part as they look for theirs; the second is a line of the caches for one thread alone.
/// A reader slot stays with its thread as long as the core lives: that thread, late between its two looks, could
/// write beside another one.
@usableFromInline
struct ReaderSlot {
    @usableFromInline let base: UnsafeMutableRawPointer

    @usableFromInline
    struct Header: ~Copyable {
        @usableFromInline let thread: UInt
        /// How many forks there had been when it was made.
        @usableFromInline let forks: UInt32
        @usableFromInline let next = Atomic<UnsafeMutableRawPointer?>(nil)

        init(thread: UInt) {
            self.thread = thread
            forks = platform_forks()
        }
    }

    /// More threads than this have to take the lock.
    static var most: Int { 16 }

    @inlinable init(base: UnsafeMutableRawPointer) { self.base = base }

    init(thread: UInt) {
        base = .allocate(byteCount: 128, alignment: 64)
        header.initialize(to: Header(thread: thread))
        delivery.initialize(to: UnorderedDelivery(thread: thread, readerState: ReaderState.idle))
    }

    @inlinable var header: UnsafeMutablePointer<Header> { base.assumingMemoryBound(to: Header.self) }
    @inlinable var delivery: UnsafeMutablePointer<UnorderedDelivery> {
        (base + 64).assumingMemoryBound(to: UnorderedDelivery.self)
    }
    /// That of the calling thread, which is this one or behind it.
    @inlinable @inline(__always)
    var own: ReaderSlot? {
        let thread = platform_thread()
        var readerSlot = self
        while readerSlot.header.pointee.thread != thread {
            guard let next = readerSlot.next else { return nil }
            readerSlot = next
        }
        return readerSlot
    }
    @inlinable var next: ReaderSlot? { header.pointee.next.load(ordering: .acquiring).map { ReaderSlot(base: $0) } }
}
