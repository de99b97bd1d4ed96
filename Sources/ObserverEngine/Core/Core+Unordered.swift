// SPDX-License-Identifier: MIT

import CPlatform
import Synchronization

/// An unordered delivery in progress, on the stack of its thread.
@usableFromInline
struct UnorderedDelivery: ~Copyable {
    /// The observation whose handler is about to be called or is running.
    @usableFromInline let current = Atomic<RecordPointer?>(nil)
    @usableFromInline let thread: UInt
    @usableFromInline var next: UnsafeMutablePointer<UnorderedDelivery>?

    @inlinable init(thread: UInt) { self.thread = thread }
}

/// Where a delivery has come to in the entries.
@usableFromInline
struct EntryCursor {
    @usableFromInline var index = 0
    /// The last observation it has taken up, by which it finds its place when entries have moved.
    @usableFromInline var serial: UInt64 = 0
    @usableFromInline var moves: UInt64
    /// Observations that began after the delivery are none of its business.
    @usableFromInline let lastSerial: UInt64

    @inlinable init(moves: UInt64, lastSerial: UInt64) {
        self.moves = moves
        self.lastSerial = lastSerial
    }
}

@usableFromInline
struct PinnedHandler<Handler> {
    @usableFromInline let record: RecordPointer
    @usableFromInline let handler: Handler

    @inlinable init(record: RecordPointer, handler: Handler) {
        self.record = record
        self.handler = handler
    }
}

extension Core {
    /// Delivers a message at once, beside whatever deliveries are in progress (law 5).
    ///
    /// It takes up the entries in batches under the lock, pinning them, and calls them outside. Called
    /// with the lock held, so that the mode cannot change before the delivery is known; releases it.
    @inlinable @inline(never)
    func deliverUnorderedUnlocking(_ message: Message, _ author: Author) -> Outcome {
        var delivery = UnorderedDelivery(thread: platform_thread())
        return withUnsafeMutablePointer(to: &delivery) { delivery in
            delivery.pointee.next = unorderedDeliveries
            unorderedDeliveries = delivery
            var position = EntryCursor(moves: moves, lastSerial: serial)
            let hooks = hooks
            if hooks != nil {
                _ = enterUnlocking()
                lock()
            }
            while true {
                var batch = pinBatch(&position)
                if batch.isEmpty { break }
                unlock()
                for one in batch { call(one, message, author, delivery) }
                delivery.pointee.current.store(nil, ordering: .releasing)
                let records = batch.map { $0.record }
                // No copy of a handler may be the last and end under the lock: these go while the entries have theirs.
                batch = []
                lock()
                announce()
                var finished: [Finished<Handler>] = []
                for record in records {
                    if let ended = unpin(record) { finished.append(ended) }
                }
                if !finished.isEmpty {
                    unlock()
                    for one in finished { one.end() }
                    finished = []
                    lock()
                }
            }
            unlink(delivery)
            let outcome = settleUnlocking([], giving: 0, state.load(ordering: .relaxed) & CoreState.refused)
            hooks?.leave()
            return outcome
        }
    }

    @inlinable
    func call(
        _ one: PinnedHandler<Handler>, _ message: Message, _ author: Author,
        _ delivery: UnsafeMutablePointer<UnorderedDelivery>
    ) {
        delivery.pointee.current.store(one.record, ordering: .sequentiallyConsistent)
        if state.load(ordering: .sequentiallyConsistent) & CoreState.awaited != 0 {
            lock()
            announce()
            unlock()
        }
        if one.record.pointee.isWanted { one.handler.receive(message, author) }
    }

    /// Takes up the next living entries. The lock is held.
    @inlinable
    func pinBatch(_ position: inout EntryCursor) -> [PinnedHandler<Handler>] {
        var batch: [PinnedHandler<Handler>] = []
        guard let entries else { return batch }
        if position.moves != moves {
            position.moves = moves
            position.index = 0
        }
        let count = entries.count
        while position.index < count, batch.count < 32 {
            defer { position.index += 1 }
            guard let record = entries.records[position.index], record.pointee.serial > position.serial else {
                continue
            }
            if record.pointee.serial > position.lastSerial { break }
            record.pointee.pins += 1
            position.serial = record.pointee.serial
            batch.append(PinnedHandler(record: record, handler: entries.handlers[position.index]))
        }
        return batch
    }

    @inlinable
    func unlink(_ delivery: UnsafeMutablePointer<UnorderedDelivery>) {
        if unorderedDeliveries == delivery {
            unorderedDeliveries = delivery.pointee.next
            return
        }
        var before = unorderedDeliveries
        while let one = before {
            if one.pointee.next == delivery {
                one.pointee.next = delivery.pointee.next
                return
            }
            before = one.pointee.next
        }
    }
}
