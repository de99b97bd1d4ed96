// SPDX-License-Identifier: MIT

import CPlatform
import Synchronization

/// A message that a new observation receives before anything else (law 19), with its author.
public struct Replayed<Handler: MessageHandler> {
    public let message: Handler.Stored
    public let author: Handler.Author

    @inlinable
    public init(_ message: Handler.Stored, _ author: Handler.Author) {
        self.message = message
        self.author = author
    }
}

/// Asked for what to replay when its turn has come: between two messages, and without a lock.
public typealias Replay<Handler: MessageHandler> = () -> [Replayed<Handler>]

extension Core {
    /// Lets an observation that has its place, and is joining, receive a replay before any later message. The lock is
    /// held.
    ///
    /// Until then it keeps its place among the others, and receives nothing.
    ///
    /// - Returns: Whether this thread owns now, and has to drain.
    @inlinable
    func enqueue(_ replay: @escaping Replay<Handler>, for id: ObservationID, inTurn isInTurn: Bool) -> Bool {
        // The core outlives what waits in it.
        let action: Barrier = { [core = Unmanaged.passUnretained(self)] in
            core._withUnsafeGuaranteedRef { $0.deliver(replay, to: id) }
        }
        let hasAcquired = adopt() || state.tryAcquire(announcing: CoreState.work)
        if isInTurn {
            enqueue(action)
        } else {
            madeBarriers().replays.append(action, 0)
        }
        if hasAcquired { owner.store(platform_thread(), ordering: .relaxed) }
        return hasAcquired
    }

    /// Lets an observation take part that has awaited its turn.
    ///
    /// - Returns: Where its handler stands, if it was still awaiting that, and the block, which another thread may
    ///   replace
    ///   as soon as the lock is free.
    @inlinable
    func activate(_ id: ObservationID) -> (handler: UnsafeMutablePointer<Handler>, entries: Entries<Handler>)? {
        withLock { activateLocked(id) }
    }

    /// The lock is held.
    @usableFromInline @discardableResult
    func activateLocked(_ id: ObservationID) -> (handler: UnsafeMutablePointer<Handler>, entries: Entries<Handler>)? {
        guard let slot = SlotMap.find(id), slot.pointee.isPending, let entries else { return nil }
        slot.pointee.phase.store(Slot.receiving, ordering: .relaxed)
        removeBlocked()
        return (entries.handlers + Int(slot.pointee.position), entries)
    }

    /// Lets an observation receive its replay, as the owner.
    @inlinable
    func deliver(_ replay: Replay<Handler>, to id: ObservationID) {
        guard let (handler, entries) = activate(id) else { return }
        for one in replay() {
            if isTraced {
                let isWanted = protect(handler) || revalidate(handler, in: entries)
                Handler.withMessage(one.message) { replayTraced(handler, $0, one.author, to: id, isWanted: isWanted) }
            } else if protect(handler) || revalidate(handler, in: entries) {
                platform_probe_handler_begin(address, handler)
                Handler.withMessage(one.message) { handler.pointee.receive($0, one.author) }
                platform_probe_handler_end(address)
            }
            // Before the messages are released, which may run foreign code.
            hazard.store(nil, ordering: .releasing)
        }
    }

    /// Without order (law 5) a replay is received at once, beside whatever deliveries are in progress.
    /// Called with the lock held; releases it.
    @inlinable @inline(never)
    func deliverUnorderedUnlocking(_ replay: Replay<Handler>, to slot: SlotPointer) {
        let handler = entries.unsafelyUnwrapped.handlers + Int(slot.pointee.position)
        _ = deliverUnorderedUnlocking { delivery in
            for one in replay() {
                Handler.withMessage(one.message) { call(handler, slot, $0, one.author, delivery) }
                delivery.pointee.hazard.store(nil, ordering: .releasing)
            }
        }
    }
}
