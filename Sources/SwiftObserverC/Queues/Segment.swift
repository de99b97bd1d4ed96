// SPDX-License-Identifier: MIT

import CPlatform
import CSwiftObserver

/// Some of the messages in an unbounded queue, and jobs among them, that follow each other. Each place is filled and
/// emptied once, until the segment is used again.
///
/// Places are small, because what one processor writes another has to fetch.
final class Segment {
    /// Of the numbers of the entries, what tells their place here.
    static var mask: Int { 63 }

    let entries = UnsafeMutablePointer<Entry>.allocate(capacity: mask + 1)
    /// The old values of updates, as soon as there was one.
    private var olds: UnsafeMutablePointer<swo_value>?
    /// The deliveries whose messages are here.
    var kept: [ExecutorDelivery] = []
    var next: Segment?

    struct Entry {
        fileprivate(set) var value: swo_value
        let author: UnsafeRawPointer?
        /// Or the job.
        let delivery: Unmanaged<ExecutorDelivery>
        let kind: Kind

        @inline(__always)
        func isMessage(of other: Unmanaged<ExecutorDelivery>) -> Bool {
            delivery.toOpaque() == other.toOpaque() && kind != .job
        }
    }

    enum Kind { case message, update, job }

    deinit {
        entries.deallocate()
        olds?.deallocate()
    }

    func takeNext() -> Segment? {
        let taken = next
        next = nil
        return taken
    }

    @inline(__always)
    func put(
        _ message: UniqueMessage, _ author: UnsafeRawPointer?, _ delivery: Unmanaged<ExecutorDelivery>, at place: Int
    ) {
        // Past the end it does no harm.
        platform_prefetch(entries + place + 4)
        (entries + place).initialize(
            to: Entry(
                value: message.value, author: author, delivery: delivery, kind: message.isUpdate ? .update : .message)
        )
        if message.isUpdate { putOld(message.old, at: place) }
    }

    func putJob(_ job: OpaquePointer, at place: Int) {
        (entries + place).initialize(
            to: Entry(value: swo_value(), author: nil, delivery: .fromOpaque(UnsafeRawPointer(job)), kind: .job))
    }

    @inline(never)
    private func putOld(_ value: swo_value, at place: Int) {
        // Not written again: a thread that drains may be reading it.
        if olds == nil { olds = .allocate(capacity: Segment.mask + 1) }
        olds![place] = value
    }

    /// Calls with the message of an entry, which is borrowed.
    @inline(__always)
    func withMessage(of entry: UnsafeMutablePointer<Entry>, _ body: (UnsafePointer<swo_value>) -> Void) {
        if entry.pointee.kind == .message {
            return body(UnsafeRawPointer(entry).assumingMemoryBound(to: swo_value.self))
        }
        let update = swo_update(old_value: olds![entry - entries], new_value: entry.pointee.value)
        withUnsafePointer(to: update) { withUnsafePointer(to: swo_update_value($0), body) }
    }

    /// Takes the message of an entry out.
    func message(of entry: UnsafeMutablePointer<Entry>) -> UniqueMessage {
        var message = UniqueMessage()
        message.value = entry.pointee.value
        message.isUpdate = entry.pointee.kind == .update
        if message.isUpdate { message.old = olds![entry - entries] }
        return message
    }

    /// Frees what the message of an entry owns. Runs foreign code.
    @inline(__always)
    func clear(_ entry: UnsafeMutablePointer<Entry>) {
        if entry.pointee.value.owned != 0 || entry.pointee.kind == .update { clearSlowly(entry) }
    }

    @inline(never)
    private func clearSlowly(_ entry: UnsafeMutablePointer<Entry>) {
        var message = self.message(of: entry)
        message.clear()
    }
}
