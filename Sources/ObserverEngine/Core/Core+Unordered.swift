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
    /// It takes up the entries in batches under the lock, pinning them, and calls them outside. Until it is known, the
    /// mode can change, and the message has to be sent otherwise.
    ///
    /// - Returns: `nil` if it has changed, or nothing can hear the message now.
    @inlinable @inline(never)
    func deliverUnordered(_ message: Message, _ author: Author) -> Outcome? {
        lock()
        let others = CoreState.empty | CoreState.closed | CoreState.blocked
        guard state.load(ordering: .relaxed) & (CoreState.unordered | others) == CoreState.unordered else {
            unlock()
            return nil
        }
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
            withUnsafeTemporaryAllocation(of: RecordPointer.self, capacity: Self.batchSize) { records in
                withUnsafeTemporaryAllocation(of: Handler.self, capacity: Self.batchSize) { handlers in
                    while case let count = pinBatch(records, handlers, delivery), count > 0 {
                        unlock()
                        for index in 0..<count { call(handlers[index], records[index], message, author, delivery) }
                        delivery.pointee.current.store(nil, ordering: .releasing)
                        // No copy of a handler may be the last and end under the lock: these go while the entries have
                        // theirs.
                        handlers.baseAddress!.deinitialize(count: count)
                        lock()
                        announce()
                        unpinBatch(records, count)
                    }
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

    /// How many handlers an unordered delivery calls between two looks at the entries.
    @inlinable static var batchSize: Int { 16 }

    @inlinable @inline(__always)
    func call(
        _ handler: Handler, _ record: RecordPointer, _ message: Message, _ author: Author,
        _ delivery: UnsafeMutablePointer<UnorderedDelivery>
    ) {
        // First the note, then the look, as owners have it.
        delivery.pointee.current.store(record, ordering: .releasing)
        platform_fence_compiler()
        if idle != 0 { atomicMemoryFence(ordering: .sequentiallyConsistent) }
        if state.load(ordering: .relaxed) & CoreState.awaited != 0 {
            lock()
            announce()
            unlock()
        }
        if record.pointee.isWanted { handler.receive(message, author) }
    }

    /// Takes up the next living entries. The lock is held.
    ///
    /// - Returns: How many.
    @inlinable
    func pinBatch(
        _ records: UnsafeMutableBufferPointer<RecordPointer>, _ handlers: UnsafeMutableBufferPointer<Handler>,
        _ delivery: UnsafeMutablePointer<UnorderedDelivery>
    ) -> Int {
        guard let entries else { return 0 }
        var count = 0, place = delivery.pointee.place
        while place < delivery.pointee.end, count < Self.batchSize {
            if let record = entries.records[place] {
                record.pointee.pins += 1
                (records.baseAddress! + count).initialize(to: record)
                (handlers.baseAddress! + count).initialize(to: entries.handlers[place])
                count += 1
            }
            place += 1
        }
        delivery.pointee.place = place
        return count
    }

    /// Ends these pins, and what has been stopped meanwhile. The lock is held, and left for foreign code.
    @inlinable @inline(__always)
    func unpinBatch(_ records: UnsafeMutableBufferPointer<RecordPointer>, _ count: Int) {
        var finished: [Finished<Handler>] = []
        for index in 0..<count {
            if let ended = unpin(records[index]) { finished.append(ended) }
        }
        guard !finished.isEmpty else { return }
        unlock()
        for one in finished { one.end() }
        // What handlers hold ends with the last copies of them, and that may run foreign code: so not under the lock.
        finished = []
        lock()
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
