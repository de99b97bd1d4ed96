// SPDX-License-Identifier: MIT

import CPlatform
import Synchronization

/// What a new observation receives before anything else (law 19), with its author.
public struct Replayed<Handler: MessageHandler> {
    public let message: Handler.Waiting
    public let author: Handler.Author

    @inlinable
    public init(_ message: Handler.Waiting, _ author: Handler.Author) {
        self.message = message
        self.author = author
    }
}

/// Asked for what to replay when its turn has come: between two messages, and without a lock.
public typealias Replay<Handler: MessageHandler> = () -> [Replayed<Handler>]

extension Core {
    /// Lets an observation that has its place, and is joining, receive a replay before any later message. The lock is held.
    ///
    /// Until then it keeps its place among the others, and receives nothing.
    ///
    /// - Returns: Whether this thread owns now, and has to drain.
    @inlinable
    func enqueue(_ replay: @escaping Replay<Handler>, for id: ObservationID, inTurn isInTurn: Bool) -> Bool {
        // The core outlives what waits in it.
        let action: PendingAction = { [core = Unmanaged.passUnretained(self)] in
            core._withUnsafeGuaranteedRef { $0.deliver(replay, to: id) }
        }
        let hasAcquired = takeOver() || state.acquireOrAnnounceWork()
        if isInTurn {
            enqueue(action)
        } else {
            madePending().replays.append(action, 0)
        }
        if hasAcquired { owner.store(platform_thread(), ordering: .relaxed) }
        return hasAcquired
    }

    /// Lets an observation receive what is sent from now on, when others have received what waits, and have ended.
    @inlinable
    public func join(_ id: ObservationID, after others: [ObservationID]) {
        if joinElsewhere(id, after: others) { return }
        performInOrder { [core = Unmanaged.passUnretained(self)] in
            for one in others { one.stop() }
            _ = core._withUnsafeGuaranteedRef { $0.admit(id) }
        }
    }

    /// Lets an observation take part that has awaited its turn.
    ///
    /// - Returns: Where its handler stands, if it was still awaiting that, and the block, which another thread may replace
    ///   as soon as the lock is free.
    @inlinable
    func admit(_ id: ObservationID) -> (handler: UnsafeMutablePointer<Handler>, entries: Entries<Handler>)? {
        withLock { admitLocked(id) }
    }

    /// The lock is held.
    @usableFromInline @discardableResult
    func admitLocked(_ id: ObservationID) -> (handler: UnsafeMutablePointer<Handler>, entries: Entries<Handler>)? {
        guard let record = Registry.find(id), record.pointee.awaitsTurn, let entries else { return nil }
        record.pointee.phase.store(Record.receiving, ordering: .relaxed)
        unmute()
        return (entries.handlers + Int(record.pointee.position), entries)
    }

    /// Lets an observation receive its replay, as the owner.
    @inlinable
    func deliver(_ replay: Replay<Handler>, to id: ObservationID) {
        guard let (handler, entries) = admit(id) else { return }
        for one in replay() {
            if note(handler) || admits(handler, in: entries) {
                Handler.withMessage(one.message) { handler.pointee.receive($0, one.author) }
            }
        }
        current.store(nil, ordering: .releasing)
    }

    /// Without order (law 5) a replay is received at once, beside whatever deliveries are in progress.
    /// Called with the lock held; releases it.
    @inlinable @inline(never)
    func deliverUnorderedUnlocking(_ replay: Replay<Handler>, to record: RecordPointer) {
        let handler = entries.unsafelyUnwrapped.handlers + Int(record.pointee.position)
        _ = deliverUnorderedUnlocking { delivery in
            for one in replay() {
                Handler.withMessage(one.message) { call(handler, record, $0, one.author, delivery) }
            }
            delivery.pointee.current.store(nil, ordering: .releasing)
        }
    }
}
