// SPDX-License-Identifier: MIT

import CPlatform
import Synchronization

/// Names an observation: never zero, never used again.
public struct ObservationID: Equatable, Sendable {
    public let rawValue: UInt64
    @inlinable public init(rawValue: UInt64) { self.rawValue = rawValue }
}

#if !hasFeature(Embedded)
    // Hashing is seeded, which would bring a source of randomness into the library for C.
    extension ObservationID: Hashable {}
#endif

/// An observation, as the engine knows it, apart from its handler.
///
/// Everything here is guarded by the lock of its core, except `phase` and `blocks`, which a delivery reads.
@usableFromInline
struct Slot: ~Copyable {
    /// Zero while the slot is free.
    @usableFromInline var id: UInt64
    /// The core, which ends all its observations before it dies.
    @usableFromInline var coreAddress: UnsafeMutableRawPointer?
    /// `destroy`, as most observations need nothing more, or a pointer to `Details`. In a free slot: its next
    /// generation.
    @usableFromInline var extra: UInt
    /// Where the entry stands in its core, or `detached`.
    @usableFromInline var position: Int32
    /// How many unordered deliveries and waiting threads need the slot to stay.
    @usableFromInline var pins: UInt16
    @usableFromInline let phase: Atomic<UInt8>
    /// How often this has been blocked and not unblocked yet; `detailed` beside it.
    @usableFromInline let marks: Atomic<UInt8>

    @usableFromInline static var detached: Int32 { -1 }

    @usableFromInline
    init(generation: UInt32) {
        id = 0
        coreAddress = nil
        extra = UInt(generation)
        position = Slot.detached
        pins = 0
        phase = Atomic(Slot.ended)
        marks = Atomic(0)
    }
}

extension Slot {
    // The phases of an observation.
    @usableFromInline static var ended: UInt8 { 0 }
    @usableFromInline static var receiving: UInt8 { 1 }
    /// It lives, and receives nothing until its turn has come, or that of its replay.
    @usableFromInline static var pending: UInt8 { 2 }

    @inlinable var isLiving: Bool { phase.load(ordering: .acquiring) != Slot.ended }
    @inlinable var isPending: Bool { phase.load(ordering: .relaxed) == Slot.pending }

    @usableFromInline static var detailed: UInt8 { 128 }

    @inlinable var blocks: UInt8 { marks.load(ordering: .relaxed) & ~Slot.detailed }

    /// Whether `extra` points at `Details`.
    @inlinable var hasDetails: Bool { marks.load(ordering: .relaxed) & Slot.detailed != 0 }

    /// Whether the handler may be called. Any thread.
    @inlinable var isWanted: Bool {
        phase.load(ordering: .acquiring) == Slot.receiving && blocks == 0
    }
}

extension Slot {
    /// Rare data of an observation.
    @usableFromInline
    struct Details {
        @usableFromInline var destroy: Destroy?
        /// The observation in which this one goes on, behind a queue; zero if it does not.
        @usableFromInline var continuation: UInt64 = 0
        /// The target of its messages. Its handler keeps that.
        @usableFromInline var downstreamAddress: UnsafeMutableRawPointer?
        /// The name of the observation, in memory of `malloc`.
        @usableFromInline var name: UnsafeMutablePointer<CChar>?
        /// Its calls, as `Tracing` keeps them.
        @usableFromInline var calls: OpaquePointer?
        /// An object whose memory this keeps, and not the object: see `ObservationID.serve`.
        @usableFromInline var served: UnsafeMutableRawPointer?
    }

    /// Ends the context of a handler written in C. Set when the observation begins.
    @usableFromInline
    mutating func begin(_ destroy: Destroy?) {
        extra = unsafeBitCast(destroy, to: UInt.self)
    }

    /// The observation in which this one goes on, or zero. It ends with this one.
    @usableFromInline var continuation: UInt64 { details?.pointee.continuation ?? 0 }

    @usableFromInline
    mutating func `continue`(in id: UInt64) { makeDetails().pointee.continuation = id }

    /// Takes the name over.
    @usableFromInline
    mutating func call(_ name: UnsafeMutablePointer<CChar>) { makeDetails().pointee.name = name }

    /// Frees the details.
    ///
    /// - Returns: What ends the context.
    @inlinable @inline(__always)
    mutating func finish() -> Destroy? {
        hasDetails ? finishDetails() : unsafeBitCast(extra, to: Destroy?.self)
    }

    @usableFromInline
    mutating func finishDetails() -> Destroy? {
        let details = details!
        let destroy = details.pointee.destroy
        platform_free(details.pointee.name)
        if details.pointee.calls != nil { platform_calls_forget(&details.pointee.calls) }
        #if !hasFeature(Embedded)
            if let served = details.pointee.served { platform_forget(served) }
        #endif
        // The mark stays until the slot is taken again.
        details.deallocate()
        return destroy
    }

    @usableFromInline
    mutating func makeDetails() -> UnsafeMutablePointer<Details> {
        if let details { return details }
        let made = UnsafeMutablePointer.allocate(
            initializing: Details(destroy: unsafeBitCast(extra, to: Destroy?.self)))
        extra = UInt(bitPattern: made)
        marks.bitwiseOr(Slot.detailed, ordering: .relaxed)
        return made
    }

    @usableFromInline var details: UnsafeMutablePointer<Details>? {
        hasDetails ? UnsafeMutablePointer(bitPattern: extra) : nil
    }
}

@usableFromInline
typealias SlotPointer = UnsafeMutablePointer<Slot>

/// Ends the context of a handler written in C.
public typealias Destroy = @convention(c) (UnsafeMutableRawPointer?) -> Void

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
