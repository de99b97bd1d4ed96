// SPDX-License-Identifier: MIT

import CPlatform
import CSwiftObserver
import ObserverEngine
import Synchronization

/// Any number of jobs, and of messages that come without one.
///
///     observation --put--> [.. m5 m4 m3] --> [m2 m1 ..] --drain: those of one observation in one go--> handler
///                          tail              head
///
/// An observation leaves its messages here rather than in its mailbox: so the sender takes one lock, and the thread
/// that drains takes one for all messages of an observation that follow each other. The two share as few words as
/// possible, because what one processor writes another has to fetch.
///
/// What comes in is guarded by the entrance, what goes out by the gate; the gate is taken first, and the lock of a core
/// within it. `sent` publishes what has been put, so that the taker need not lock what comes in.
final class UnboundedQueue: JobQueue {
    private let entrance: UnsafeMutablePointer<platform_latch>
    private let gate: OpaquePointer

    /// Keeps what both sides only read, what comes in and what goes out apart in the caches.
    private var apart = (0, 0, 0, 0, 0, 0, 0, 0)

    // What comes in. The segment is kept by the one before, and in the end by `head`.
    private var tail: Unmanaged<Segment>
    /// How many messages and jobs have ever been put here.
    private let sent = Atomic(0)
    /// By which a delivery knows that the present segment keeps it. Never 0.
    private var keeping: UInt = 1
    private var pool = SegmentPool()

    private var apartToo = (0, 0, 0, 0, 0, 0, 0, 0)

    // What goes out.
    private var head = Segment()
    private var taken = 0
    /// How many threads deliver what they have taken. They need its segments and deliveries.
    private var delivering = 0
    /// Of the segments before the head, until no thread delivers.
    private var passed: Segment?
    private var leaving: [ExecutorDelivery] = []

    /// `nil` if there is no memory.
    static func make(raising event: platform_event) -> UnboundedQueue? {
        guard let entrance = platform_latch_new() else { return nil }
        guard let gate = platform_monitor_new() else {
            platform_latch_free(entrance)
            return nil
        }
        return UnboundedQueue(raising: event, entrance: entrance, gate: gate)
    }

    private init(raising event: platform_event, entrance: UnsafeMutablePointer<platform_latch>, gate: OpaquePointer) {
        self.entrance = entrance
        self.gate = gate
        tail = .passUnretained(head)
        super.init(event: event)
    }

    deinit {
        platform_latch_free(entrance)
        platform_monitor_free(gate)
    }

    override var unbounded: UnboundedQueue? { self }

    override func close() {
        platform_latch_enter(entrance)
        shut()
        platform_latch_leave(entrance)
        // What is closed only drops.
        _ = drain(most: .max)
    }

    // What comes in.

    override func push(_ job: OpaquePointer) -> Bool {
        put { tail, place in tail.putJob(job, at: place) }
    }

    /// Takes in a message of a delivery. @return False if it was refused.
    func put(_ message: UniqueMessage, _ author: UnsafeRawPointer?, of delivery: ExecutorDelivery) -> Bool {
        put { tail, place in
            tail.put(message, author, .passUnretained(delivery), at: place)
            // For as long as it may have a message here.
            if delivery.kept == keeping { return }
            delivery.kept = keeping
            tail.kept.append(delivery)
        }
    }

    @inline(__always)
    private func put(_ fill: (_ tail: Segment, _ place: Int) -> Void) -> Bool {
        platform_latch_enter(entrance)
        defer { platform_latch_leave(entrance) }
        if isClosed { return false }
        let number = sent.load(ordering: .relaxed)
        let place = number & Segment.mask
        if place == 0, number > 0 { lengthen() }
        tail._withUnsafeGuaranteedRef { fill($0, place) }
        sent.store(number + 1, ordering: .releasing)
        raise()
        return true
    }

    private func lengthen() {
        platform_note_change()
        let next = pool.take()
        tail._withUnsafeGuaranteedRef { $0.next = next }
        tail = .passUnretained(next)
        keeping += 1
    }

    // What goes out.

    override func drain(most: Int) -> Int {
        platform_monitor_enter(gate)
        var end = sent.load(ordering: .acquiring)
        let limit = most > 0 ? most : end - taken
        var run = 0
        while run < limit {
            // Seldom looks at what has been sent, because each look slows the sender down.
            if taken >= end { end = sent.load(ordering: .acquiring) }
            if taken >= end { break }
            run += deliver(most: min(limit - run, end - taken))
        }
        let hasCaughtUp = taken >= end
        let isEmpty = settleLeavingGate()
        if hasCaughtUp, !isEmpty, run <= Segment.mask { platform_back_off(64) }
        return run
    }

    /// Delivers what waits first, with all of the same observation that follows, or drops it. The gate is held, and left
    /// meanwhile. @return How much was delivered.
    private func deliver(most: Int) -> Int {
        goOn()
        delivering += 1
        defer {
            platform_monitor_enter(gate)
            delivering -= 1
        }
        let segment = Unmanaged.passUnretained(head)
        let place = taken & Segment.mask
        return segment._withUnsafeGuaranteedRef { segment in
            let first = segment.entries + place
            if first.pointee.kind == .job { return runLeavingGate(first) }
            return first.pointee.delivery._withUnsafeGuaranteedRef { delivery in
                deliverLeavingGate(delivery.mailbox, segment, first, min(most, Segment.mask + 1 - place))
            }
        }
    }

    @inline(never)
    private func runLeavingGate(_ entry: UnsafeMutablePointer<Segment.Entry>) -> Int {
        taken += 1
        platform_monitor_leave(gate)
        let job = OpaquePointer(entry.pointee.delivery.toOpaque())
        if isClosed {
            swo_job_drop(job)
            return 0
        }
        swo_job_run(job)
        return 1
    }

    private func deliverLeavingGate(
        _ mailbox: Mailbox<CHandler>, _ segment: Segment, _ first: UnsafeMutablePointer<Segment.Entry>, _ most: Int
    ) -> Int {
        guard mailbox.tryAcquire() else {
            // Another thread delivers, or something is in the way: one at a time.
            taken += 1
            if isClosed {
                platform_monitor_leave(gate)
                segment.clear(first)
                return 0
            }
            let message = segment.message(of: first).shared()
            mailbox.deliver(message, first.pointee.author) { platform_monitor_leave(gate) }
            return 1
        }
        var count = 1
        while count < most, first[count].isMessage(of: first.pointee.delivery) { count += 1 }
        taken += count
        platform_monitor_leave(gate)
        var run = 0
        for entry in first..<first + count {
            // A handler may have released the queue.
            if !isClosed {
                segment.withMessage(of: entry) { mailbox.dispatch($0, entry.pointee.author) }
                run += 1
            }
            segment.clear(entry)
        }
        mailbox.release()
        return run
    }

    /// Goes on to the next segment, if all of this one has been taken. The gate is held, and something is waiting.
    private func goOn() {
        guard taken > 0, taken & Segment.mask == 0, let next = head.next else { return }
        let before = head
        head = next
        leaving += before.kept
        before.kept.removeAll(keepingCapacity: true)
        before.next = passed
        passed = before
        if delivering == 0 { recycle() }
    }

    /// Keeps what has been passed, and frees what is too much. The gate is held, and no thread delivers.
    private func recycle() {
        while let segment = passed {
            // One by one, as there may be very many.
            passed = segment.takeNext()
            platform_latch_enter(entrance)
            pool.put(segment)
            platform_latch_leave(entrance)
        }
    }

    /// Clears the descriptor if nothing is left, and releases what is no longer needed. The gate is held; leaves it.
    /// @return Whether nothing is left.
    private func settleLeavingGate() -> Bool {
        var gone: [ExecutorDelivery] = []
        let isEmpty = sent.load(ordering: .relaxed) == taken && settleEmpty()
        if delivering == 0 {
            recycle()
            swap(&gone, &leaving)
        }
        platform_monitor_leave(gate)
        // Releasing deliveries may run foreign code.
        return withExtendedLifetime(gone) { isEmpty }
    }

    /// @return False if something has come meanwhile.
    private func settleEmpty() -> Bool {
        platform_latch_enter(entrance)
        defer { platform_latch_leave(entrance) }
        if sent.load(ordering: .relaxed) != taken { return false }
        clear()
        leaving += head.kept
        head.kept.removeAll(keepingCapacity: true)
        keeping += 1
        pool.settle()
        return true
    }
}
