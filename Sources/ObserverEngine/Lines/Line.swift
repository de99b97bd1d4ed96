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
struct Line<Waiting, Author> {
    @usableFromInline typealias Queue = MessageQueue<Waiting, Author>

    /// Guarded by the lock of the core.
    @usableFromInline let coming: Unmanaged<Queue>
    /// Guarded by `owned`.
    @usableFromInline let going: Unmanaged<Queue>

    @inlinable init() {
        coming = .passRetained(Queue())
        going = .passRetained(Queue())
    }

    @inlinable func free() {
        coming.release()
        going.release()
    }

    /// The lock is held.
    @inlinable @inline(__always)
    func append(_ message: consuming Waiting, _ author: Author) {
        coming._withUnsafeGuaranteedRef { $0.placeForOne() }.initialize(to: .init(message: message, author: author))
    }

    /// How many messages have ever been appended. The lock is held.
    @inlinable var appended: UInt64 { coming._withUnsafeGuaranteedRef { $0.taken + UInt64($0.count) } }

    /// How many messages have ever been taken in by owners. What was before the last of these times has been delivered. The
    /// lock is held.
    @inlinable var takenIn: UInt64 { coming._withUnsafeGuaranteedRef { $0.taken } }

    // What follows is for the owner.

    /// How many messages have ever been taken out to be delivered.
    @inlinable var popped: UInt64 { going._withUnsafeGuaranteedRef { $0.taken } }

    /// How many can be delivered without another look.
    @inlinable var taken: Int { going._withUnsafeGuaranteedRef { $0.count } }

    /// How many wait. The lock is held.
    @inlinable var count: Int { taken + coming._withUnsafeGuaranteedRef { $0.count } }

    /// A message that waits, by its number among all that have ever been appended. The lock is held.
    @inlinable
    subscript(number: UInt64) -> Queue.Element {
        let offset = Int(number - popped), taken = taken
        return offset < taken
            ? going._withUnsafeGuaranteedRef { $0[offset] } : coming._withUnsafeGuaranteedRef { $0[offset - taken] }
    }

    /// Takes out what waits, unless something has been taken out and not been delivered. The lock is held.
    ///
    /// - Returns: How much can be delivered now. If nothing, much memory is given back.
    @inlinable
    func takeAll() -> Int {
        coming._withUnsafeGuaranteedRef { coming in
            going._withUnsafeGuaranteedRef { going in
                if going.count == 0 {
                    if coming.count > 0 {
                        going.takeAll(of: coming)
                    } else {
                        going.trim()
                        coming.trim()
                    }
                }
                return going.count
            }
        }
    }

    @inlinable @inline(__always)
    func popFirst() -> Queue.Element? { going._withUnsafeGuaranteedRef { $0.popFirst(keepingCapacity: true) } }
}
