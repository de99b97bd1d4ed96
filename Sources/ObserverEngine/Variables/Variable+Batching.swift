// SPDX-License-Identifier: MIT

import CPlatform

/// The changes that a variable holds back while a batch is open. Guarded by the lock of its core.
@usableFromInline
final class Batch<Value, Author> {
    @usableFromInline var depth = 1
    /// The value before the first change.
    @usableFromInline var first: Value?
    /// The author of the last change.
    @usableFromInline var author: Author?

    @inlinable init() {}
}

extension Variable {
    /// Notes a change while a batch is open. The lock is held.
    ///
    /// - Returns: The author before, which the caller releases without the lock.
    @inlinable @inline(never)
    func holdBack(_ old: Value, _ author: Handler.Author) -> Handler.Author? {
        let batch = batch!
        let before = batch.author
        if batch.first == nil { batch.first = old }
        batch.author = author
        return before
    }

    /// Holds updates back, until every batch that was begun has ended. Values change meanwhile as usual.
    public func beginBatch() {
        let new = Batch<Value, Handler.Author>()
        core.lock()
        if let batch { batch.depth += 1 } else { batch = new }
        core.unlock()
    }

    /// Ends a batch. If it is the last, one update is sent, from the first old to the last new value, unless
    /// these are equal.
    ///
    /// - Returns: `nil` if no batch was open.
    @discardableResult
    public func endBatch() -> Outcome? {
        while true {
            core.lock()
            guard let batch else {
                core.unlock()
                return nil
            }
            guard batch.depth == 1, let first = batch.first, let author = batch.author else {
                batch.depth -= 1
                if batch.depth == 0 { self.batch = nil }
                core.unlock()
                return withExtendedLifetime(batch) { .sent }
            }
            let (last, seen) = (value, version)
            core.unlock()
            // Comparing is foreign code, so another thread may be faster.
            let isChange = !isEqual(first, last)
            core.lock()
            guard version == seen, isSame(self.batch, batch), batch.depth == 1 else {
                core.unlock()
                continue
            }
            self.batch = nil
            guard isChange, core.isHeard else {
                core.unlock()
                return withExtendedLifetime(batch) { .sent }
            }
            let message = makeMessage(first, last)
            let sending = core.decide(change: message, author)
            let cause = core.isTraced ? core.lastCause : nil
            if cause != nil { core.noteWaiting(sending, cause) }
            core.unlock()
            platform_cause_release(cause)
            return withExtendedLifetime(batch) {
                besideFunctions { core.becauseOfLast { core.perform(sending, message, author) } }
            }
        }
    }
}
