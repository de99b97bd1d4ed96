// SPDX-License-Identifier: MIT

extension Variable {
    /// The present value for a new observer, as of the messages that have been delivered: where changes still wait, the
    /// value with which the next of them begins. What was sent straight to the observable is none of them.
    ///
    /// - Parameters:
    ///   - oldValue: the value with which an update begins. Runs under the lock: no foreign code.
    ///   - author: of the replay.
    @inlinable
    public func replay(
        oldValue: (borrowing Handler.Stored) -> Value, author: Handler.Author
    ) -> [Replayed<Handler>] {
        core.lock()
        defer { core.unlock() }
        var present = value
        if let backlog = core.backlog, let inbox = backlog.pointee.inbox,
            let number = backlog.pointee.changes.first(delivered: inbox.popped)
        {
            present = oldValue(inbox[number].message)
        }
        return [Replayed(makeMessage(present, present), author)]
    }

    /// Sends the present value to all that observe; in a transaction the one that is there outside.
    ///
    /// - Parameter isHeard: as for `set(_:author:isHeard:)`.
    public func sendLatest(author: Handler.Author, isHeard: Bool? = nil) -> Outcome {
        Transactions.outsideUnlessComputing {
            core.sendLatest(author, isHeard: isHeard) { makeMessage(value, value) }
        }
    }
}
