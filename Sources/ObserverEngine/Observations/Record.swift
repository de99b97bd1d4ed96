// SPDX-License-Identifier: MIT

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

/// What the engine knows of one observation, apart from its handler.
///
/// Everything here is guarded by the lock of its core, except `isLiving` and `blocks`, which a delivery reads.
@usableFromInline
struct Record: ~Copyable {
    /// Zero while the slot is free.
    @usableFromInline var id: UInt64
    /// The core, which ends all its observations before it dies.
    @usableFromInline var core: Unmanaged<AnyCore>?
    /// `destroy`, as most observations need nothing more, or a pointer to a `Continuation`.
    @usableFromInline var extra: UInt
    /// Grows with each observation of a core. In a free slot: its next generation.
    @usableFromInline var serial: UInt64
    /// Where the entry stands in its core, or `detached`. In a free slot: the next free one.
    @usableFromInline var position: Int32
    /// How many unordered deliveries and waiting threads need the record to stay.
    @usableFromInline var pins: UInt16
    @usableFromInline let isLiving: Atomic<Bool>
    /// How often this has been blocked and not unblocked yet; `continued` beside it.
    @usableFromInline let marks: Atomic<UInt8>

    @usableFromInline static var detached: Int32 { -1 }

    @usableFromInline
    init(generation: UInt64, nextFree: Int32) {
        id = 0
        core = nil
        extra = 0
        serial = generation
        position = nextFree
        pins = 0
        isLiving = Atomic(false)
        marks = Atomic(0)
    }
}

extension Record {
    @usableFromInline static var continued: UInt8 { 128 }

    @inlinable var blocks: UInt8 { marks.load(ordering: .relaxed) & ~Record.continued }

    /// Whether `extra` points at a `Continuation`.
    @inlinable var isContinued: Bool {
        get { marks.load(ordering: .relaxed) & Record.continued != 0 }
        nonmutating set {
            if newValue {
                marks.bitwiseOr(Record.continued, ordering: .relaxed)
            } else {
                marks.bitwiseAnd(~Record.continued, ordering: .relaxed)
            }
        }
    }

    /// Whether the handler may be called. Any thread.
    @inlinable var isWanted: Bool {
        isLiving.load(ordering: .acquiring) && blocks == 0
    }
}

extension Record {
    /// What an observation needs that goes on in another one, behind a queue.
    @usableFromInline
    struct Continuation {
        @usableFromInline let destroy: Destroy?
        @usableFromInline let id: UInt64
    }

    /// Ends the context of a handler written in C. Set when the observation begins.
    @usableFromInline
    mutating func begin(_ destroy: Destroy?) {
        extra = unsafeBitCast(destroy, to: UInt.self)
    }

    /// The observation in which this one goes on, or zero. It ends with this one.
    @usableFromInline var continuation: UInt64 { isContinued ? details.pointee.id : 0 }

    @usableFromInline
    mutating func `continue`(in id: UInt64) {
        let details = UnsafeMutablePointer.allocate(initializing: Continuation(destroy: finish(), id: id))
        extra = UInt(bitPattern: details)
        isContinued = true
    }

    /// What ends the context, and no continuation any more.
    @usableFromInline
    mutating func finish() -> Destroy? {
        guard isContinued else { return unsafeBitCast(extra, to: Destroy?.self) }
        defer { details.deallocate() }
        isContinued = false
        return details.pointee.destroy
    }

    /// What the observation is for, in the place of what ends a context, where handlers have no such thing.
    var purpose: UInt {
        get { isContinued ? unsafeBitCast(details.pointee.destroy, to: UInt.self) : extra }
        set {
            guard isContinued else { return extra = newValue }
            let destroy = unsafeBitCast(newValue, to: Destroy?.self)
            details.pointee = Continuation(destroy: destroy, id: details.pointee.id)
        }
    }

    private var details: UnsafeMutablePointer<Continuation> { UnsafeMutablePointer(bitPattern: extra)! }
}

@usableFromInline
typealias RecordPointer = UnsafeMutablePointer<Record>
