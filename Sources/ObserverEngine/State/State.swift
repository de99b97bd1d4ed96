// SPDX-License-Identifier: MIT

import CPlatform
import Synchronization

/// The state word of a core, and the one place that changes it.
///
/// Each change is a transition with a name. It asserts what must hold before it, and returns what its caller has to
/// know of the state before. Other files read the word, and call these.
///
/// Rights by state:
///
/// | state | who delivers | who may change entries and inbox |
/// |---|---|---|
/// | idle, empty | the thread that acquires | the lock |
/// | `owned` | the thread in `owner` | the owner alone moves entries; the lock guards inbox and remains |
/// | `biased` | the thread in `owner`, without an atomic operation | that thread; others revoke first |
/// | `offered` | the thread that adopts it | the lock |
/// | `unordered` | every thread that sends | the lock; what deliveries may read is retired |
/// | `unordered`, `inReaderSlots` | the same, without the lock | as before, once the reader slots are closed |
/// | `closed` | the delivery in progress, no other | the lock |
///
/// Transitions:
///
///                          bias
///            acquire     ┌───────▶ biased ──revoke──▶ biased, revoked
///     idle ◀──release──▶ owned ◀──────────ownership────────┘
///                        │   ▲
///                  offer ▼   │ adopt
///                       offered
///
/// Two rules make this safe. The word leaves `idle` without the lock only by `tryAcquire(from:)`, and gives `owned`
/// up without the lock only by `tryRelease(from:)`; both fail if any bit has changed. Every other transition needs
/// the lock: so who holds it, raises a bit, and finds that nothing was owned knows that nothing will be before the
/// bit falls.
///
/// Never together: `owned` with `offered`, `unordered` or `inReaderSlots`; `biased` with `unordered`; `revoked` without
/// `biased` or `owned`; `interrupted` without `owned`; `inReaderSlots` without `unordered`.
@usableFromInline
struct State: ~Copyable {
    @usableFromInline let word: Atomic<UInt32>

    @usableFromInline
    init(_ word: UInt32) { self.word = Atomic(word) }

    @inlinable @inline(__always)
    func load() -> UInt32 { word.load(ordering: .relaxed) }

    /// With what was stored before the bits rose that this sees.
    @inlinable @inline(__always)
    func loadAcquiring() -> UInt32 { word.load(ordering: .acquiring) }

    @inlinable @inline(__always)
    func raise(_ bits: UInt32) -> UInt32 { word.bitwiseOr(bits, ordering: .acquiringAndReleasing).oldValue }

    @inlinable @inline(__always)
    func lower(_ bits: UInt32) -> UInt32 { word.bitwiseAnd(~bits, ordering: .acquiringAndReleasing).oldValue }

    /// Raises one, and then lowers the other: no other thread finds neither up.
    @inlinable @inline(__always)
    func replace(_ lowered: UInt32, by raised: UInt32) {
        _ = raise(raised)
        _ = lower(lowered)
    }

    /// Whether some of these bits are up. For assertions.
    @inlinable
    func has(_ bits: UInt32) -> Bool { load() & bits != 0 }
}

// MARK: Owning

extension State {
    /// Acquires, if the word is still as it was found. Needs no lock.
    @inlinable @inline(__always)
    func tryAcquire(from found: UInt32) -> Bool {
        assert(found & ~(CoreState.empty | CoreState.standing) == 0)
        return word.compareExchange(expected: found, desired: found | CoreState.owned, ordering: .acquiring).exchanged
    }

    /// Acquires, unless a thread owns. The lock is held.
    ///
    /// - Parameter work: `work`, if there is something to do before the next message, by this thread or by the owner.
    @inlinable @inline(__always)
    func tryAcquire(announcing work: UInt32 = 0) -> Bool { raise(CoreState.owned | work) & CoreState.owned == 0 }

    /// Gives ownership back, if the word is still as it was found: then nothing waits for the owner. Needs no lock.
    @inlinable @inline(__always)
    func tryRelease(from found: UInt32) -> Bool {
        assert(found & CoreState.owned != 0)
        return word.compareExchange(expected: found, desired: found & ~CoreState.owned, ordering: .releasing).exchanged
    }

    /// Ends a delivery, with all that belongs to it alone. The lock is held.
    ///
    /// - Parameters:
    ///   - held: `owned`, or nothing where messages keep no order.
    ///   - keepsWork: whether something is left that later deliveries have to look for.
    /// - Returns: The state before.
    @inlinable @inline(__always)
    func endDelivery(giving held: UInt32, keepsWork: Bool) -> UInt32 {
        assert(held == 0 || has(CoreState.owned))
        let spent = CoreState.told | CoreState.refused | CoreState.interrupted | CoreState.enqueued
        return lower(held | spent | (keepsWork ? 0 : CoreState.work | CoreState.revalidate))
    }

    /// Gives ownership up for another thread to adopt. Owned, and the lock is held.
    ///
    /// - Returns: What has failed until now, which is none of that thread's business.
    @inlinable @inline(__always)
    func offer() -> UInt32 {
        assert(has(CoreState.owned))
        _ = raise(CoreState.offered)
        return lower(CoreState.owned | CoreState.told | CoreState.refused) & CoreState.told
    }

    /// Leaves what has been enqueued without an owner. Owned, and the lock is held.
    @inlinable @inline(__always)
    func leaveEnqueued() {
        assert(has(CoreState.owned))
        replace(CoreState.owned, by: CoreState.offered)
    }

    /// Takes over what was offered. The lock is held.
    @inlinable @inline(__always)
    func adopt() {
        assert(has(CoreState.offered) && !has(CoreState.owned))
        replace(CoreState.offered, by: CoreState.owned | CoreState.work)
    }
}

// MARK: What waits for the owner

// The lock is held.
extension State {
    /// Lets the owner look for something to do before the next message; keeps a core that is not owned from being so.
    ///
    /// - Returns: The state before.
    @inlinable @inline(__always)
    func announceWork() -> UInt32 { raise(CoreState.work) }

    @inlinable @inline(__always)
    func finishWork() { _ = lower(CoreState.work) }

    /// Lets the owner look for messages before it leaves.
    ///
    /// - Returns: Whether a thread owns.
    @inlinable @inline(__always)
    func announceMessage() -> Bool { raise(CoreState.enqueued) & CoreState.owned != 0 }

    @inlinable @inline(__always)
    func announceWaiter() { _ = raise(CoreState.awaited) }

    @inlinable @inline(__always)
    func clearWaiters() { _ = lower(CoreState.awaited) }

    /// Lets the delivery in progress end after the message in hand.
    @inlinable @inline(__always)
    func interrupt() { _ = raise(CoreState.interrupted | CoreState.work) }

    @inlinable @inline(__always)
    func takeInterruption() -> Bool { lower(CoreState.interrupted) & CoreState.interrupted != 0 }
}

// MARK: What a send is told

extension State {
    /// Needs no lock.
    ///
    /// - Parameter failure: one of `told`.
    @inlinable @inline(__always)
    func markFailed(_ failure: UInt32) { _ = raise(failure | CoreState.work) }

    /// Needs no lock.
    @inlinable @inline(__always)
    func markRefused() { _ = raise(CoreState.refused | CoreState.work) }

    /// Not zero if something was refused. The lock is held.
    @inlinable @inline(__always)
    func takeRefusal() -> UInt32 { lower(CoreState.refused) & CoreState.refused }
}

extension Outcome {
    /// That of a send, by the bits `told` and `refused` of the state word. A handler that failed counts for more.
    @inlinable @inline(__always)
    init(_ failures: UInt32) {
        self = failures & CoreState.failed != 0 ? .handlerFailed : failures != 0 ? .refused : .sent
    }
}

// MARK: Observations

// The lock is held.
extension State {
    @inlinable @inline(__always)
    func markObserved() { _ = lower(CoreState.empty) }

    /// Makes the owner look before each call, and clear away.
    ///
    /// - Returns: The state before.
    @inlinable @inline(__always)
    func markEnded(ofLast isLast: Bool) -> UInt32 {
        raise(CoreState.revalidate | CoreState.work | (isLast ? CoreState.empty : 0))
    }

    /// Never taken back.
    @inlinable @inline(__always)
    func joinGraph() { _ = raise(CoreState.graphed) }

    /// The ended observations have been swept.
    @inlinable @inline(__always)
    func markSwept(isClosed: Bool) {
        _ = lower(isClosed ? CoreState.revalidate : CoreState.revalidate | CoreState.work)
    }

    @inlinable @inline(__always)
    func endRevalidation() { _ = lower(CoreState.revalidate) }

    /// The observable is dead. @return The state before.
    @inlinable @inline(__always)
    func close() -> UInt32 {
        assert(!has(CoreState.closed))
        return raise(CoreState.closed | CoreState.work)
    }

    /// Raises or lowers `blocked`, `someBlocked`, `hooked` or `traced`, of which nothing else depends.
    @inlinable @inline(__always)
    func set(_ bit: UInt32, _ isUp: Bool) {
        assert(bit & ~(CoreState.blocked | CoreState.someBlocked | CoreState.hooked | CoreState.traced) == 0)
        _ = isUp ? raise(bit) : lower(bit)
    }
}

// MARK: Bias

extension State {
    /// Biases an owned core to its owner, if nothing waits. The lock is held.
    @inlinable @inline(__always)
    func tryBias() -> Bool {
        word.compareExchange(
            expected: CoreState.owned, desired: CoreState.biased, ordering: .acquiringAndReleasing
        ).exchanged
    }

    /// The same where nothing can wait. Owned, and the lock is held.
    @inlinable @inline(__always)
    func bias() {
        assert(has(CoreState.owned))
        replace(CoreState.owned, by: CoreState.biased)
    }

    /// Makes the bias owner look. The lock is held; a fence has to follow.
    @inlinable @inline(__always)
    func revokeBias() {
        assert(has(CoreState.biased))
        _ = raise(CoreState.revoked)
    }

    /// The bias owner was free: there is no bias any more. The lock is held.
    @inlinable @inline(__always)
    func endBias() { _ = lower(CoreState.biased | CoreState.revoked) }

    /// The bias owner was delivering: it is the owner now. The lock is held.
    @inlinable @inline(__always)
    func makeBiasOwnerOwner() {
        assert(has(CoreState.revoked))
        replace(CoreState.biased, by: CoreState.owned)
    }

    /// The bias owner itself, which is delivering, takes the lock: it is the owner now, and finds that when it looks.
    @inlinable @inline(__always)
    func ownAsBiasOwner() { _ = raise(CoreState.owned | CoreState.revoked) }

    /// The bias owner, which found that something has happened, has taken the lock.
    ///
    /// - Returns: Whether it is the owner.
    @inlinable @inline(__always)
    func acknowledgeRevocation() -> Bool { lower(CoreState.revoked) & CoreState.revoked != 0 }
}

// MARK: Order

// The lock is held.
extension State {
    /// Messages keep no order from now on. `work` was announced, and nothing owned.
    @inlinable @inline(__always)
    func loseOrder() {
        assert(!has(CoreState.owned | CoreState.biased))
        replace(CoreState.work, by: CoreState.unordered)
    }

    @inlinable @inline(__always)
    func keepOrder() { _ = lower(CoreState.unordered) }

    @inlinable @inline(__always)
    func openReaderSlots() {
        assert(has(CoreState.unordered))
        _ = raise(CoreState.inReaderSlots)
    }

    /// A fence has to follow.
    @inlinable @inline(__always)
    func closeReaderSlots() { _ = lower(CoreState.inReaderSlots) }
}

/// The bits of a core's state word. Traces of the explorer and models have their names from here.
///
/// A core whose word equals `idle`, which is zero or, without the kernel's fence, `alwaysRevalidate`, can be owned by
/// one compare-and-exchange. Every other change of the word happens under the core's lock, except that the owner
/// gives ownership back by a compare-and-exchange that fails if any bit came up meanwhile.
@usableFromInline
enum CoreState {
    /// A thread is delivering; only it may give this up.
    @usableFromInline static let owned: UInt32 = 1
    /// Something waits for the owner to take the lock before the next message: the remains of observations, what is
    /// to be done in its turn, closing.
    @usableFromInline static let work: UInt32 = 2
    /// An observation ended during this delivery: the owner checks each entry before it calls.
    @usableFromInline static let revalidate: UInt32 = 4
    /// A thread waits for a handler to return.
    @usableFromInline static let awaited: UInt32 = 8
    /// There are no observations.
    @usableFromInline static let empty: UInt32 = 16
    /// The observable is dead.
    @usableFromInline static let closed: UInt32 = 32
    /// Messages do not keep their order (law 5). Never together with `owned`.
    @usableFromInline static let unordered: UInt32 = 64
    /// A handler could not do its part, and the sender is to know.
    @usableFromInline static let failed: UInt32 = 128
    /// The kernel has no asymmetric fence: every delivery looks before each call, and fences.
    @usableFromInline static let alwaysRevalidate: UInt32 = 256
    /// The observable is blocked: what is sent is dropped.
    @usableFromInline static let blocked: UInt32 = 512
    /// An observation is blocked: the owner checks each entry before it calls.
    @usableFromInline static let someBlocked: UInt32 = 1024
    /// Something is to be done around each delivery.
    @usableFromInline static let hooked: UInt32 = 2048
    /// Messages wait for the next thread that sends to take over: the one that has delivered for others long enough
    /// waits for that, or a delivery was interrupted, or something was sent for later. Never together with `owned`.
    @usableFromInline static let offered: UInt32 = 4096

    /// An executor has refused a message.
    @usableFromInline static let refused: UInt32 = 8192

    /// The core is biased to the thread in `owner`: that one delivers without raising `owned`, and no other thread
    /// can do anything without the lock. Never together with `unordered`.
    @usableFromInline static let biased: UInt32 = 16384
    /// While the core is biased: another thread revokes that. Together with `owned`: the thread to which it is
    /// biased, or was, was delivering then. It finds this when it looks, and is the owner.
    @usableFromInline static let revoked: UInt32 = 32768

    /// The thread that delivers wants to leave the rest in the inbox, for another send to deliver. Only together with
    /// `owned`.
    @usableFromInline static let interrupted: UInt32 = 65536

    /// Messages have been left to the owner, which looks for more before it leaves.
    @usableFromInline static let enqueued: UInt32 = 131072

    /// Without order: threads that have a reader slot deliver in it without the lock, and no other thread can do
    /// anything that they have to know of without it. Only together with `unordered`, and never with `biased`.
    @usableFromInline static let inReaderSlots: UInt32 = 262144
    /// These are revoked before the lock says who may do what.
    @usableFromInline static let revocable = biased | inReaderSlots

    /// This has joined a graph of derived variables: it is biased to no thread, and the graph answers for its value.
    @usableFromInline static let graphed: UInt32 = 524288
    /// What the message in hand became behind a transform, an executor has refused: the sender is to know, as with
    /// `failed`.
    @usableFromInline static let refusedBehind: UInt32 = 1048576
    /// What the sender of a message is to know, also where another thread delivers it.
    @usableFromInline static let told = failed | refusedBehind
    /// Causes are noted: this is never idle (`Tracing`).
    @usableFromInline static let traced = UInt32(PLATFORM_TRACED)

    /// May be set while a core is idle.
    @usableFromInline static let standing = alwaysRevalidate | graphed

    /// Where `empty` alone of these is set, nothing hears what is sent.
    @usableFromInline static let unheard = empty | owned | work | offered | closed | traced

    /// These make the owner look before it calls.
    @usableFromInline static let slowPath = revalidate | awaited | alwaysRevalidate | someBlocked
}

/// The activity of a thread in a core that is biased to it, or in its reader slot.
@usableFromInline
enum ReaderState {
    @usableFromInline static let idle: UInt8 = 0
    /// It delivers, and may for long.
    @usableFromInline static let delivering: UInt8 = 1
    /// It does something short that runs no foreign code: another thread waits for the end of it.
    @usableFromInline static let critical: UInt8 = 2
}
