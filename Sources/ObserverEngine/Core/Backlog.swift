// SPDX-License-Identifier: MIT

/// What waits for the owner of a core. Guarded by the lock.
@usableFromInline
struct Backlog<Handler: MessageHandler> {
    @usableFromInline var line: Line<Handler.Waiting, Handler.Author>?
    /// Which messages in line are of changes of a variable.
    @usableFromInline var changes = WaitingChanges()
    /// How many messages have been taken out of the line when that of the send in progress has been, if it waits there.
    @usableFromInline var own: UInt64 = 0
    /// What is to be done in its turn.
    @usableFromInline var actions: PendingActions?
    /// Blocks that a delivery may still be reading.
    @usableFromInline var oldBlocks: [OldBlock] = []
    /// Observations that ended while an owner may have been calling them.
    @usableFromInline var ended: [RecordPointer] = []
    /// Handlers that have left the block while unordered deliveries may call them, in the order of their numbers.
    @usableFromInline var retired: [RetiredHandler<Handler>] = []
    /// Handlers that no delivery can call any more, while threads have their records pinned: these are few.
    @usableFromInline var pinned: [RetiredHandler<Handler>]?

    @inlinable init() {}
}

/// A block that others have taken the place of; it can be the first place of the core.
@usableFromInline
struct OldBlock {
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
    @usableFromInline let record: RecordPointer
    @usableFromInline let handler: Handler
    /// Unordered deliveries that began before it may call it.
    @usableFromInline let number: UInt

    @inlinable init(record: RecordPointer, handler: Handler, number: UInt) {
        self.record = record
        self.handler = handler
        self.number = number
    }

    /// The lock is held.
    @inlinable func finish() -> Finished<Handler> {
        let finished = Finished(handler: handler, destroy: record.pointee.finish())
        Registry.free(record)
        return finished
    }
}

// The lock is held.
extension Core {
    @inlinable var backlog: UnsafeMutablePointer<Backlog<Handler>>? {
        usage?.pointee.backlog?.assumingMemoryBound(to: Backlog<Handler>.self)
    }

    @inlinable @inline(never)
    func makeBacklog() -> UnsafeMutablePointer<Backlog<Handler>> {
        if let backlog { return backlog }
        let made = UnsafeMutablePointer.allocate(initializing: Backlog<Handler>())
        makeUsage().pointee.backlog = UnsafeMutableRawPointer(made)
        return made
    }

    @inlinable var line: Line<Waiting, Author>? { backlog?.pointee.line }

    @inlinable @inline(never)
    func makeLine() -> Line<Waiting, Author> {
        let made = Line<Waiting, Author>()
        makeBacklog().pointee.line = made
        return made
    }

    /// Puts the message of a send in line that is going to drain.
    @inlinable
    func appendOwn(_ message: consuming Waiting, _ author: Author) {
        append(message, author)
        makeBacklog().pointee.own = line.unsafelyUnwrapped.appended
    }

    @inlinable var pending: PendingActions? { backlog?.pointee.actions }
}
