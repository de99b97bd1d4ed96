// SPDX-License-Identifier: MIT

/// Which of the enqueued messages are of changes of a variable, by their numbers: others can be sent straight to it.
///
///     enqueued    4 5 6 . 8 9
///     runs       4..<7, 8..<10
///
/// Guarded by the lock of the core.
@usableFromInline
struct EnqueuedChanges {
    @usableFromInline typealias RunPointer = UnsafeMutablePointer<Run>

    /// Numbers that follow each other.
    @usableFromInline
    struct Run {
        var first: UInt64
        var end: UInt64
        var next: RunPointer?
    }

    private var oldest: RunPointer?
    private var latest: RunPointer?
    /// How many messages owners had taken in when a change was noted last.
    private var batched: UInt64 = 0

    @usableFromInline init() {}

    /// - Parameter takenIn: how many messages owners have taken in. When they take some in, they have delivered what
    ///   they
    ///   had taken in before.
    @usableFromInline
    mutating func note(_ number: UInt64, batched now: UInt64) {
        if now != batched {
            drop(before: batched)
            batched = now
        }
        if let latest, latest.pointee.end == number {
            latest.pointee.end += 1
            return
        }
        let made = RunPointer.allocate(initializing: Run(first: number, end: number + 1))
        if let latest { latest.pointee.next = made } else { oldest = made }
        latest = made
    }

    /// The first that has not been delivered.
    @usableFromInline
    mutating func first(delivered: UInt64) -> UInt64? {
        drop(before: delivered)
        return oldest.map { max($0.pointee.first, delivered) }
    }

    @usableFromInline
    mutating func drop(before number: UInt64) {
        while let run = oldest, run.pointee.end <= number {
            oldest = run.pointee.next
            if oldest == nil { latest = nil }
            run.deallocate()
        }
    }
}
