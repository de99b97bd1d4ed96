// SPDX-License-Identifier: MIT

/// The messages that wait for the owner of a core.
///
///     senders --append, under the lock--> [.. m5 m4] --takeAll--> [m3 m2] --popFirst, without it--> the owner
///                                         coming                  going
///
/// The owner takes out all that waits at once, so that it meets the senders once for many messages.
///
/// Not counted: retaining and releasing the two ends would cost more than all the rest.
@usableFromInline
struct Inbox<Stored, Author> {
    @usableFromInline typealias Queue = MessageQueue<Stored, Author>

    /// Guarded by the lock of the core.
    @usableFromInline let incoming: Unmanaged<Queue>
    /// Guarded by `owned`.
    @usableFromInline let batch: Unmanaged<Queue>

    @inlinable init() {
        incoming = .passRetained(Queue())
        batch = .passRetained(Queue())
    }

    @inlinable func free() {
        incoming.release()
        batch.release()
    }

    /// The lock is held.
    @inlinable @inline(__always)
    func append(_ message: consuming Stored, _ author: Author) {
        incoming._withUnsafeGuaranteedRef { $0.placeForOne() }.initialize(to: .init(message: message, author: author))
    }

    /// How many messages have ever been appended. The lock is held.
    @inlinable var appended: UInt64 { incoming._withUnsafeGuaranteedRef { $0.taken + UInt64($0.count) } }

    /// How many messages have ever been taken in by owners. What was before the last of these times has been
    /// delivered. The lock is held.
    @inlinable var batched: UInt64 { incoming._withUnsafeGuaranteedRef { $0.taken } }

    // What follows is for the owner.

    /// How many messages have ever been taken out to be delivered.
    @inlinable var popped: UInt64 { batch._withUnsafeGuaranteedRef { $0.taken } }

    /// How many can be delivered without another look.
    @inlinable var taken: Int { batch._withUnsafeGuaranteedRef { $0.count } }

    /// How many wait. The lock is held.
    @inlinable var count: Int { taken + incoming._withUnsafeGuaranteedRef { $0.count } }

    /// A message that waits, by its number among all that have ever been appended. The lock is held.
    @inlinable
    subscript(number: UInt64) -> Queue.Element {
        let offset = Int(number - popped), taken = taken
        return offset < taken
            ? batch._withUnsafeGuaranteedRef { $0[offset] } : incoming._withUnsafeGuaranteedRef { $0[offset - taken] }
    }

    /// Takes out what waits, unless something has been taken out and not been delivered. The lock is held.
    ///
    /// - Returns: How much can be delivered now. If nothing, much memory is given back.
    @inlinable
    func takeAll() -> Int {
        incoming._withUnsafeGuaranteedRef { incoming in
            batch._withUnsafeGuaranteedRef { batch in
                if batch.count == 0 {
                    if incoming.count > 0 {
                        batch.takeAll(of: incoming)
                    } else {
                        batch.trim()
                        incoming.trim()
                    }
                }
                return batch.count
            }
        }
    }

    @inlinable @inline(__always)
    func popFirst() -> Queue.Element? { batch._withUnsafeGuaranteedRef { $0.popFirst(keepingCapacity: true) } }
}
