// SPDX-License-Identifier: MIT

import CPlatform
import Synchronization

/// Rare data of a core: an observable that is observed, and sends now and then, has no room for it. Guarded by the lock
/// of the core where nothing else is said.
///
/// Numbers are assigned here, not added to in place, which would be an access to all of the table, beside those who
/// read it without the lock.
@usableFromInline
struct SideTable: ~Copyable {
    /// A `Backlog` of the core's kind of handlers, made when there is something in it.
    @usableFromInline var backlog: UnsafeMutableRawPointer?
    /// Its node in a graph of derived variables. Set once.
    @usableFromInline var node: UnsafeMutableRawPointer?
    /// The thread to which this may be biased, once it has. Read by owners, too.
    @usableFromInline var biasOwner: UInt = 0
    /// How many forks there had been when this was last biased.
    @usableFromInline var forks: UInt32 = 0
    /// How many observations are blocked.
    @usableFromInline var blockedCount: UInt32 = 0
    /// Any thread reads this.
    @usableFromInline let budget = Atomic(SideTable.defaultBudget)
    /// How often a count of `sendsToBias` still has to end before this is biased. Only those write here whom
    /// `sendsToBias` says.
    @usableFromInline let roundsToBias = Atomic<UInt8>(1)
    /// The mode asked for; it comes into force when no delivery is in progress.
    @usableFromInline var wantsUnordered = false
    /// Whether what has come since the owner last looked has come from another thread, too.
    @usableFromInline var isShared = false
    /// How often this has been blocked and not unblocked yet.
    @usableFromInline var blocks: UInt32 = 0
    /// The unordered deliveries in progress on the stacks of their threads: the newest one, and the oldest.
    @usableFromInline var newestOnStack: UnsafeMutablePointer<UnorderedDelivery>?
    @usableFromInline var oldestOnStack: UnsafeMutablePointer<UnorderedDelivery>?
    /// The first of the reader slots. Set once, before the core is in reader slots.
    @usableFromInline var readerSlots: ReaderSlot?
    /// How much has been retired.
    @usableFromInline var retired: UInt = 0
    /// Done around each delivery.
    @usableFromInline var hooks: DeliveryHooks?
    /// Called with the number of observations left after each end while the observable lives, without a lock. Set once.
    @usableFromInline var left: ((_ remaining: Int) -> Void)?
    /// The name of the observable, in memory of `malloc`.
    @usableFromInline var name: UnsafeMutablePointer<CChar>?
    /// Its last change, as `Tracing` keeps it.
    @usableFromInline var lastCause: UnsafeMutableRawPointer?
    /// How many messages for the handler of a mailbox have been put there, and taken, while this was traced.
    @usableFromInline var pending: (put: UInt64, taken: UInt64) = (0, 0)
    /// How many messages executors have refused.
    @usableFromInline var refusals = 0
    /// The thread that alone delivers, by its identity; 0 if every thread may. Set once.
    @usableFromInline var home: UInt64 = 0

    /// The budget of a delivery, where no other is set.
    @usableFromInline static var defaultBudget: UInt32 { 1000 }

    @usableFromInline init() {}
}

/// Functions of C, once there is a node of a core in a graph: one ends it, the other is told that an observation has ended.
let endingOfNodes = Atomic<UInt>(0)
let tellingNodes = Atomic<UInt>(0)

/// A function of C, once a thread has computed: begins and ends to call handlers on it, beside the function that runs there.
let besideFunctionOf = Atomic<UInt>(0)

/// Makes a call that may call handlers: a function that has caused it does not depend on what they read (law 26).
@inlinable @inline(__always)
public func besideFunctions(_ deliver: () -> Outcome) -> Outcome {
    guard platform_has_graphs(), let computing = platform_computing() else { return deliver() }
    return besideFunction(of: computing, deliver)
}

@usableFromInline @inline(never)
func besideFunction(of computing: UnsafeMutableRawPointer, _ deliver: () -> Outcome) -> Outcome {
    let change = unsafeBitCast(
        besideFunctionOf.load(ordering: .relaxed), to: (@convention(c) (UnsafeMutableRawPointer, Bool) -> Bool).self)
    guard change(computing, true) else { return deliver() }
    defer { _ = change(computing, false) }
    return deliver()
}

private func call(_ function: borrowing Atomic<UInt>, _ node: UnsafeMutableRawPointer) {
    unsafeBitCast(function.load(ordering: .relaxed), to: (@convention(c) (UnsafeMutableRawPointer) -> Void).self)(node)
}

extension SideTable {
    /// Lets go of what it owns, one by one: Debian's compilers cannot deinitialize an `Atomic` in the deinit of a
    /// class.
    @inline(never)
    static func end(_ table: UnsafeMutablePointer<SideTable>) {
        table.pointee.hooks = nil
        table.pointee.left = nil
        if let name = table.pointee.name { platform_free(name) }
        if table.pointee.lastCause != nil { platform_cause_forget(&table.pointee.lastCause) }
        var readerSlot = table.pointee.readerSlots
        while let one = readerSlot {
            readerSlot = one.next
            one.base.deallocate()
        }
        if let node = table.pointee.node { call(endingOfNodes, node) }
        UnsafeMutableRawPointer(table).deallocate()
    }

    /// That of a core, by what the core has: negative where that is a node, which is all there is. So one look tells.
    @inlinable @inline(__always)
    static func table(_ rare: Int) -> UnsafeMutablePointer<SideTable>? {
        rare > 0 ? UnsafeMutablePointer(bitPattern: address(rare)).unsafelyUnwrapped : nil
    }

    // An address has a bit to spare: the highest one, or, where there are 32 bits, the lowest.

    @inlinable @inline(__always)
    static func address(_ rare: Int) -> UInt {
        #if _pointerBitWidth(_64)
            UInt(bitPattern: rare & .max)
        #else
            UInt(bitPattern: rare) << 1
        #endif
    }

    @inlinable @inline(__always)
    static func rare(_ address: UnsafeMutableRawPointer) -> Int {
        #if _pointerBitWidth(_64)
            Int(bitPattern: address)
        #else
            Int(bitPattern: UInt(bitPattern: address) >> 1)
        #endif
    }
}

extension AnyCore {
    /// What it is known as in a graph.
    final var nodePointer: UnsafeMutableRawPointer? {
        let rare = rare.load(ordering: .acquiring)
        if let table = SideTable.table(rare) { return table.pointee.node }
        return UnsafeMutableRawPointer(bitPattern: SideTable.address(rare))
    }

    /// Sets that, once. The lock is held, or no other thread knows this yet.
    final func setNode(_ node: UnsafeMutableRawPointer) {
        if let sideTable { return sideTable.pointee.node = node }
        rare.store(SideTable.rare(node) | .min, ordering: .releasing)
    }

    @usableFromInline @inline(never)
    final func endRare() {
        if let sideTable {
            SideTable.end(sideTable)
        } else if let node = nodePointer {
            call(endingOfNodes, node)
        }
    }

    /// Whether somebody is told when an observation ends. The lock is held.
    @inlinable final var isFollowed: Bool {
        let rare = rare.load(ordering: .relaxed)
        if rare == 0 { return false }
        return SideTable.table(rare).map { $0.pointee.left != nil || $0.pointee.node != nil } ?? true
    }

    /// Tells those that an observation has ended. No lock is held.
    @usableFromInline @inline(never)
    final func tell(_ remaining: UInt32) {
        // Set once, so it is read without the lock.
        sideTable?.pointee.left?(Int(remaining))
        if let node = nodePointer { call(tellingNodes, node) }
    }
}

extension AnyCore {
    /// The lock is held, or it is known that this was there before something else that this thread has seen.
    @inlinable final var sideTable: UnsafeMutablePointer<SideTable>? { SideTable.table(rare.load(ordering: .relaxed)) }

    /// The same for any thread.
    @inlinable final var sideTableUnlocked: UnsafeMutablePointer<SideTable>? {
        SideTable.table(rare.load(ordering: .acquiring))
    }

    /// The lock is held.
    @usableFromInline @inline(never)
    final func makeSideTable() -> UnsafeMutablePointer<SideTable> {
        if let sideTable { return sideTable }
        let made = UnsafeMutablePointer.allocate(initializing: SideTable())
        made.pointee.node = nodePointer
        rare.store(SideTable.rare(made), ordering: .releasing)
        return made
    }

    /// The thread to which this may be biased, once it has.
    @inlinable final var biasOwner: UInt { sideTable?.pointee.biasOwner ?? 0 }

    /// How many observations are blocked. The lock is held.
    @inlinable final var blockedCount: UInt32 {
        get { sideTable?.pointee.blockedCount ?? 0 }
        set { makeSideTable().pointee.blockedCount = newValue }
    }

    /// The lock is held.
    @inlinable final var wantsUnordered: Bool { sideTable?.pointee.wantsUnordered ?? false }

    /// The lock is held.
    @inlinable final var isShared: Bool {
        get { sideTable?.pointee.isShared ?? false }
        set { sideTable?.pointee.isShared = newValue }
    }

    /// Notes that something comes from another thread than the owner. The lock is held.
    @usableFromInline @inline(never)
    final func markShared() { makeSideTable().pointee.isShared = true }

    /// The lock is held.
    @inlinable final var hooks: DeliveryHooks? { sideTable?.pointee.hooks }
}

// These take the lock without revoking the bias of another thread, which uses none of this.
extension AnyCore {
    /// How many messages executors have refused.
    public final var refusals: Int {
        platform_lock_acquire(lockIndex)
        defer { platform_lock_release(lockIndex) }
        return sideTable?.pointee.refusals ?? 0
    }

    /// Counts a message that an executor has refused.
    public final func countRefusal() {
        platform_lock_acquire(lockIndex)
        defer { platform_lock_release(lockIndex) }
        let table = makeSideTable()
        table.pointee.refusals = table.pointee.refusals + 1
    }
}

/// Work that waits for the owner of a core. Guarded by the lock.
@usableFromInline
struct Backlog<Handler: MessageHandler> {
    @usableFromInline var inbox: Inbox<Handler.Stored, Handler.Author>?
    /// Which enqueued messages are of changes of a variable.
    @usableFromInline var changes = EnqueuedChanges()
    /// How many messages have been taken out of the inbox when that of the send in progress has been, if it waits
    /// there.
    @usableFromInline var own: UInt64 = 0
    /// Actions that take their turn.
    @usableFromInline var barriers: Barriers?
    /// Blocks that a delivery may still be reading.
    @usableFromInline var retiredArrays: [RetiredArray] = []
    /// Observations that ended while an owner may have been calling them.
    @usableFromInline var ended: [SlotPointer] = []
    /// Handlers that have left the block while unordered deliveries may call them, in the order of their numbers.
    @usableFromInline var retired: [RetiredHandler<Handler>] = []
    /// Handlers that no delivery can call any more, while threads have their slots pinned: these are few.
    @usableFromInline var pinned: [RetiredHandler<Handler>]?

    @inlinable init() {}
}

/// A block that others have taken the place of; it can be the inline entry of the core.
@usableFromInline
struct RetiredArray {
    @usableFromInline let base: UnsafeMutableRawPointer
    /// Unordered deliveries that began before it may read it.
    @usableFromInline let number: UInt

    @inlinable init(base: UnsafeMutableRawPointer, number: UInt) {
        self.base = base
        self.number = number
    }
}

/// The handler of an observation that has ended.
@usableFromInline
struct RetiredHandler<Handler: MessageHandler> {
    @usableFromInline let slot: SlotPointer
    @usableFromInline let handler: Handler
    /// Unordered deliveries that began before it may call it.
    @usableFromInline let number: UInt

    @inlinable init(slot: SlotPointer, handler: Handler, number: UInt) {
        self.slot = slot
        self.handler = handler
        self.number = number
    }

    /// The lock is held.
    @inlinable func finish() -> DeferredDestruction<Handler> {
        let finished = DeferredDestruction(handler: handler, destroy: slot.pointee.finish())
        SlotMap.free(slot)
        return finished
    }
}

// The lock is held.
extension Core {
    @inlinable var backlog: UnsafeMutablePointer<Backlog<Handler>>? {
        sideTable?.pointee.backlog?.assumingMemoryBound(to: Backlog<Handler>.self)
    }

    @inlinable @inline(never)
    func makeBacklog() -> UnsafeMutablePointer<Backlog<Handler>> {
        if let backlog { return backlog }
        let made = UnsafeMutablePointer.allocate(initializing: Backlog<Handler>())
        makeSideTable().pointee.backlog = UnsafeMutableRawPointer(made)
        return made
    }

    @inlinable var inbox: Inbox<Stored, Author>? { backlog?.pointee.inbox }

    @inlinable @inline(never)
    func makeInbox() -> Inbox<Stored, Author> {
        let made = Inbox<Stored, Author>()
        makeBacklog().pointee.inbox = made
        return made
    }

    /// Enqueues the message of a send that is going to drain.
    @inlinable
    func appendOwn(_ message: consuming Stored, _ author: Author) {
        append(message, author)
        makeBacklog().pointee.own = inbox.unsafelyUnwrapped.appended
    }

    @inlinable var pending: Barriers? { backlog?.pointee.barriers }
}
