// SPDX-License-Identifier: MIT

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
