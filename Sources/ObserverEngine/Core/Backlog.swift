// SPDX-License-Identifier: MIT

/// What waits for the owner of a core. Guarded by the lock.
@usableFromInline
struct Backlog<Handler: MessageHandler> {
    @usableFromInline var line: Line<Handler.Waiting, Handler.Author>?
    /// What is to be done in its turn.
    @usableFromInline var actions: PendingActions?
    /// Blocks that an owner may still be reading.
    @usableFromInline var oldBlocks: [UnsafeMutableRawPointer] = []
    /// Observations that ended while an owner may have been calling them.
    @usableFromInline var ended: [RecordPointer] = []
    /// Handlers that have left the block while a delivery or a waiting thread has them pinned.
    @usableFromInline var pinned: [PinnedHandler<Handler>] = []

    @inlinable init() {}
}

// The lock is held.
extension Core {
    @inlinable @inline(never)
    func makeBacklog() -> UnsafeMutablePointer<Backlog<Handler>> {
        if let backlog { return backlog }
        let made = UnsafeMutablePointer.allocate(initializing: Backlog<Handler>())
        backlog = made
        return made
    }

    @inlinable var line: Line<Waiting, Author>? { backlog?.pointee.line }

    @inlinable @inline(never)
    func makeLine() -> Line<Waiting, Author> {
        let made = Line<Waiting, Author>()
        makeBacklog().pointee.line = made
        return made
    }

    @inlinable var pending: PendingActions? { backlog?.pointee.actions }
}
