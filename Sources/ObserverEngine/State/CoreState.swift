// SPDX-License-Identifier: MIT

import CPlatform

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
    @usableFromInline static let unheard = empty | owned | work | offered | closed

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
