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
    /// The place of the entry that comes next. Guarded by the lock.
    @usableFromInline var place = 0
    /// Behind the last entry that was there at the beginning: later ones are none of its business. Guarded by the lock.
    @usableFromInline var end: Int

    @inlinable init(thread: UInt, end: Int) {
        self.thread = thread
        self.end = end
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
        var delivery = UnorderedDelivery(thread: platform_thread(), end: entries?.count ?? 0)
        return withUnsafeMutablePointer(to: &delivery) { delivery in
            delivery.pointee.next = unorderedDeliveries
            unorderedDeliveries = delivery
            let hooks = hooks
            if let hooks {
                unlock()
                hooks.enter()
                lock()
            }
            while true {
                var batch = pinBatch(delivery)
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
            let end = settle([], giving: 0, state.load(ordering: .relaxed) & CoreState.refused)
            unlock()
            let outcome = end.finish(self)
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
    func pinBatch(_ delivery: UnsafeMutablePointer<UnorderedDelivery>) -> [PinnedHandler<Handler>] {
        var batch: [PinnedHandler<Handler>] = []
        guard let entries else { return batch }
        while delivery.pointee.place < delivery.pointee.end, batch.count < 32 {
            let place = delivery.pointee.place
            delivery.pointee.place += 1
            guard let record = entries.records[place] else { continue }
            record.pointee.pins += 1
            batch.append(PinnedHandler(record: record, handler: entries.handlers[place]))
        }
        return batch
    }

    /// Tells the deliveries in progress where their places are among so many entries, whose gaps are about to close or
    /// not. The lock is held.
    @inlinable @inline(never)
    func moveUnordered(_ entries: Entries<Handler>, _ count: Int, closingGaps: Bool) {
        func moved(_ place: Int) -> Int {
            guard closingGaps else { return min(place, count) }
            var kept = 0
            for before in 0..<min(place, count) where entries.records[before] != nil { kept += 1 }
            return kept
        }
        var delivery = unorderedDeliveries
        while let one = delivery {
            one.pointee.place = moved(one.pointee.place)
            one.pointee.end = moved(one.pointee.end)
            delivery = one.pointee.next
        }
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
