// SPDX-License-Identifier: MIT

/// Delivers the messages of one observation later, or elsewhere, in their order (law 23).
///
///     source --put--> [ m3 m2 m1 ] --deliverNext, run by an executor--> handler
///
/// Each message asks the executor for one call of `deliverNext`; an executor that runs its jobs in
/// order thereby keeps the order among all its observations, and one that runs them side by side still
/// gets the messages of each one by one, in order. The handler is observed in a core of the mailbox's
/// own, and the observation of the source `continues` there: so stopping it counts for what waits here,
/// and stop and wait waits for the handler, whatever thread calls it.
///
/// - Note: `@unchecked Sendable`: `waiting` is guarded by the lock of the core.
public final class Mailbox<Handler: MessageHandler>: @unchecked Sendable {
    /// Where the observation of the source goes on.
    public let observation: ObservationID
    @usableFromInline let core: Core<Handler>
    @usableFromInline let waiting = MessageQueue<Handler.Waiting, Handler.Author>()

    /// - Parameter other: the observation in which the mailbox's own goes on, behind another one.
    @inlinable
    public init(handler: Handler, destroy: Destroy? = nil, continuingIn other: ObservationID? = nil) {
        core = Core()
        observation = core.observe(handler, destroy: destroy, continuingIn: other)
    }

    deinit { core.close() }

    /// Takes in a message of the source.
    ///
    /// - Parameter schedule: asks the executor for one call of `deliverNext()`, or, where it gives up
    ///   what it accepted, of `dropNext()`. False if the executor refuses: the message is gone then.
    @inlinable
    public func put(_ message: Handler.Message, _ author: Handler.Author, schedule: () -> Bool) -> Outcome {
        guard let kept = Handler.keep(message) else { return .noMemory }
        core.lock()
        waiting.append(kept, author)
        core.unlock()
        if schedule() { return .sent }
        core.lock()
        let refused = waiting.popLast()
        core.unlock()
        return withExtendedLifetime(refused) { .handlerFailed }
    }

    /// Delivers the first message that waits, or, while another thread delivers, leaves it to that one.
    ///
    /// - Returns: Whether one was waiting.
    @inlinable @discardableResult
    public func deliverNext() -> Bool {
        core.lock()
        guard let next = waiting.popFirst() else {
            core.unlock()
            return false
        }
        _ = core.sendUnlocking(next.message, author: next.author)
        return true
    }

    /// Delivers a message at once, past all that wait, so none must. The caller is where messages are
    /// delivered.
    @inlinable
    public func deliver(_ message: Handler.Message, _ author: Handler.Author) {
        _ = core.send(message, author: author)
    }

    /// Gives up the first message that waits.
    @inlinable
    public func dropNext() {
        core.lock()
        let dropped = waiting.popFirst()
        core.unlock()
        withExtendedLifetime(dropped) {}
    }
}
