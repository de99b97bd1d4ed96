// SPDX-License-Identifier: MIT

/// For executors that keep the messages themselves: those of one observation in one go, past what is put in.
extension Mailbox {
    /// Acquires the mailbox to deliver, if no thread has it and nothing is in the way. Then `offer` any number of
    /// messages, and `release`.
    @inlinable
    public func tryAcquire() -> Bool { core.tryAcquire() }

    /// Delivers a message, between the two.
    @inlinable
    public func dispatch(_ message: Handler.Message, _ author: Handler.Author) { core.dispatch(message, author) }

    @inlinable
    public func release() { _ = core.release() }

    /// Delivers a message, or leaves it to the thread that has acquired the mailbox.
    ///
    /// - Parameter placed: called as soon as no later call can overtake this one. Runs no foreign code.
    @inlinable
    public func deliver(_ message: Handler.Stored, _ author: Handler.Author, placed: () -> Void) {
        core.lock()
        // Another thread may acquire without the lock, so a message has its place when it waits, or this thread
        // owns: not before.
        while core.isOffered || !core.tryAcquireLocked() {
            if core.adopt() {
                placed()
                core.append(message, author)
                core.unlock()
                _ = core.withHooks { core.drain() }
                return
            }
            if core.signalOwner() {
                core.append(message, author)
                placed()
                return core.unlock()
            }
        }
        placed()
        core.unlock()
        Handler.withMessage(message) { _ = core.deliver($0, author) }
    }
}
