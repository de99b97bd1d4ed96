// SPDX-License-Identifier: MIT

import CPlatform
import CSwiftObserver
import ObserverEngine
import Synchronization

/// Any number of jobs, and of messages that come without one.
///
///     observation --put--> [.. m5 m4 m3] [m2 m1 ..] --drain: those of one observation in one go--> handler
///                           tail          head
///
/// An observation leaves its messages here rather than in its mailbox: so whoever sends takes one lock, and whoever
/// drains, one for all messages of an observation that follow each other.
///
/// `head` and `taken` are guarded by the gate, everything else by the monitor; the gate is taken first, and the lock of
/// a core within it. What has been put is published by `sent`, so that who takes need not enter the monitor.
final class UnboundedQueue: JobQueue {
    private let gate: OpaquePointer
    private var head = Stretch()
    private var tail: Stretch
    /// How many entries have ever been put here, and taken.
    private let sent = Atomic(0)
    private var taken = 0
    /// By which a courier knows that the present stretch keeps it. Never 0.
    private var keeping: UInt = 1

    override init?() {
        guard let gate = platform_monitor_new() else { return nil }
        self.gate = gate
        tail = head
        super.init()
    }

    deinit { platform_monitor_free(gate) }

    override var unbounded: UnboundedQueue? { self }

    override func close() {
        platform_monitor_enter(monitor)
        shut()
        platform_monitor_leave(monitor)
        // What is closed only drops.
        _ = drain(most: .max)
    }

    override func push(_ job: OpaquePointer) -> Bool {
        put(Entry(parcel: Parcel(), courier: Courier.of(job), author: nil, isJob: true))
    }

    /// Takes in a message of a courier. @return False if it was refused.
    func put(_ parcel: Parcel, _ author: UnsafeRawPointer?, of courier: Courier) -> Bool {
        put(Entry(parcel: parcel, courier: .passUnretained(courier), author: author, isJob: false))
    }

    @inline(__always)
    private func put(_ entry: Entry) -> Bool {
        platform_monitor_enter(monitor)
        defer { platform_monitor_leave(monitor) }
        if isClosed { return false }
        let number = sent.load(ordering: .relaxed)
        if number & Stretch.mask == 0, number > 0 { lengthen() }
        (tail.entries + number & Stretch.mask).initialize(to: entry)
        if !entry.isJob { entry.courier._withUnsafeGuaranteedRef { keep($0) } }
        sent.store(number + 1, ordering: .releasing)
        raise()
        return true
    }

    private func lengthen() {
        let next = Stretch()
        tail.next = next
        tail = next
        keeping += 1
    }

    /// Keeps a courier for as long as it may have a message here. The monitor is held.
    private func keep(_ courier: Courier) {
        if courier.kept == keeping { return }
        courier.kept = keeping
        tail.kept.append(courier)
    }

    override func drain(most: Int) -> Int {
        platform_monitor_enter(gate)
        let limit = most > 0 ? most : sent.load(ordering: .acquiring) - taken
        var run = 0
        while run < limit, sent.load(ordering: .acquiring) > taken {
            run += deliverLeavingGate(most: limit - run)
            platform_monitor_enter(gate)
        }
        clearLeavingGate()
        return run
    }

    /// Delivers what waits first, with all of the same observation that follows, or drops it. @return How much that was.
    private func deliverLeavingGate(most: Int) -> Int {
        let before = advance()
        let stretch = head
        // Letting go of couriers may run foreign code, so it comes last.
        return withExtendedLifetime((before, stretch)) {
            let first = stretch.entries + taken & Stretch.mask
            if first.pointee.isJob { return runLeavingGate(first) }
            let courier = first.pointee.courier.retain()
            defer { courier.release() }
            return courier._withUnsafeGuaranteedRef { deliverLeavingGate($0.mailbox, first, most) }
        }
    }

    @inline(never)
    private func runLeavingGate(_ first: UnsafeMutablePointer<Entry>) -> Int {
        taken += 1
        platform_monitor_leave(gate)
        let job = OpaquePointer(first.pointee.courier.toOpaque())
        if isClosed { swo_job_drop(job) } else { swo_job_run(job) }
        return 1
    }

    private func deliverLeavingGate(
        _ mailbox: Mailbox<CHandler>, _ first: UnsafeMutablePointer<Entry>, _ most: Int
    ) -> Int {
        guard mailbox.beginTurn() else {
            // Another thread delivers, or something is in the way: one at a time.
            taken += 1
            if isClosed {
                platform_monitor_leave(gate)
                first.pointee.parcel.clear()
            } else {
                mailbox.deliver(first.pointee.parcel.shared(), first.pointee.author) { platform_monitor_leave(gate) }
            }
            return 1
        }
        let count = countFollowing(first, most)
        taken += count
        platform_monitor_leave(gate)
        for entry in first..<first + count {
            // A handler may have released the queue.
            if !isClosed {
                Parcel.withMessage(&entry.pointee.parcel) { mailbox.offer($0, entry.pointee.author) }
            }
            entry.pointee.parcel.clear()
        }
        mailbox.endTurn()
        return count
    }

    /// How many entries, from the first on, are messages of the same courier. The gate is held.
    private func countFollowing(_ first: UnsafeMutablePointer<Entry>, _ most: Int) -> Int {
        let here = min(most, sent.load(ordering: .acquiring) - taken, Stretch.mask + 1 - taken & Stretch.mask)
        var count = 1
        while count < here, first[count].courier.toOpaque() == first.pointee.courier.toOpaque(), !first[count].isJob {
            count += 1
        }
        return count
    }

    /// Goes on to the next stretch, if all of this one has been taken. The gate is held, and something is waiting.
    /// @return The one before, to be let go of outside the gate.
    private func advance() -> Stretch? {
        guard taken > 0, taken & Stretch.mask == 0, let next = head.next else { return nil }
        let before = head
        head = next
        before.next = nil
        return before
    }

    /// Clears the descriptor and lets go of all couriers, if nothing is left. The gate is held; leaves it.
    private func clearLeavingGate() {
        var kept: [Courier] = []
        platform_monitor_enter(monitor)
        if sent.load(ordering: .relaxed) == taken {
            clear()
            swap(&kept, &tail.kept)
            keeping += 1
        }
        platform_monitor_leave(monitor)
        platform_monitor_leave(gate)
        withExtendedLifetime(kept) {}
    }
}

/// A message that waits, or a job.
private struct Entry {
    var parcel: Parcel
    let courier: Unmanaged<Courier>
    let author: UnsafeRawPointer?
    let isJob: Bool
}

/// Some entries that follow each other.
private final class Stretch {
    /// Of the numbers of the entries, what tells their place here.
    static var mask: Int { 63 }

    let entries = UnsafeMutablePointer<Entry>.allocate(capacity: mask + 1)
    var next: Stretch?
    /// The couriers whose messages are here.
    var kept: [Courier] = []

    deinit { entries.deallocate() }
}
