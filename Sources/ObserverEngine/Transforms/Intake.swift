// SPDX-License-Identifier: MIT

import Synchronization

/// How a transform takes in the messages of its source: one at a time, always.
///
/// A source that maintains the order of its messages delivers one at a time anyway, and they are put
/// straight through. One that does not (law 5) may deliver on several threads: then a core of the
/// transform's own stands in between and brings them into line.
public final class Intake<Handler: MessageHandler> {
    // Not kept: the source outlives every call of a handler that observes it.
    @usableFromInline let source: Unmanaged<Core<Handler>>
    @usableFromInline let handler: Handler
    /// Guarded by the source's lock.
    @usableFromInline var made: Core<Handler>?
    @usableFromInline let observation = Atomic<UInt64>(0)

    /// - Parameter handler: applies the transform's step to a message and sends the result. Whatever
    ///   it holds must last as long as this intake.
    @inlinable
    public init(source: Core<Handler>, handler: Handler) {
        self.source = .passUnretained(source)
        self.handler = handler
    }

    deinit { made?.close() }

    /// Whether messages have to go through `lineUp`, and must not be handled as they come.
    @inlinable
    public var mustLineUp: Bool { source._withUnsafeGuaranteedRef { $0.isUnordered } }

    /// Handles a message of the source once those before it have been handled.
    @inlinable @inline(never)
    public func lineUp(_ message: Handler.Message, _ author: Handler.Author) {
        let source = source.takeUnretainedValue()
        if gate(source).send(message, author: author) == .noMemory { source.reportFailure() }
    }

    /// Call this for each message of the source, or `lineUp` if it must be, and handle it yourself if not.
    @inlinable
    public func receive(_ message: Handler.Message, _ author: Handler.Author) {
        if mustLineUp { lineUp(message, author) } else { handler.receive(message, author) }
    }

    /// Tells which observation of the source this serves, for `isWanted`.
    @inlinable
    public func serve(_ id: ObservationID) { observation.store(id.rawValue, ordering: .releasing) }

    /// Whether the observation that this serves is living still. An ad hoc handler asks before it is
    /// called, because a message may have stood in line while the observation was stopped (law 7).
    @inlinable
    public var isWanted: Bool {
        guard source.takeUnretainedValue().isUnordered else { return true }
        let id = observation.load(ordering: .acquiring)
        return id == 0 || ObservationID(rawValue: id).isLiving
    }

    /// The core in between, made when it is first needed.
    @inlinable
    func gate(_ source: Core<Handler>) -> Core<Handler> {
        source.lock()
        let present = made
        source.unlock()
        if let present { return present }
        let gate = Core<Handler>()
        _ = gate.observe(handler)
        source.lock()
        if made == nil { made = gate }
        let winner = made!
        source.unlock()
        if winner !== gate { gate.close() }
        return winner
    }
}
