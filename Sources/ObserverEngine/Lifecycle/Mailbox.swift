// SPDX-License-Identifier: MIT

import CPlatform

/// Delivers the messages of one observation later, or elsewhere, in their order (law 23).
///
///     source --put--> [ m5 m4 ] --all at once--> [ m3 m2 ] --deliverNext, run by an executor--> handler
///
/// Each message asks the executor for one call of `deliverNext`; an executor that runs its jobs in
/// order thereby keeps the order among all its observations, and one that runs them side by side still
/// gets the messages of each one by one, in order. The handler is observed in a core of the mailbox's
/// own, and the observation of the source `continues` there: so stopping it counts for what waits here,
/// and stop and wait waits for the handler, whatever thread calls it.
///
/// What comes and what goes have a lock each, so that sender and deliverer meet only when
/// one has emptied what the other has filled. An executor that keeps messages itself delivers many in one go
/// (`Mailbox+Draining`).
///
/// - Note: `@unchecked Sendable`: `incoming` and `isHeld` are guarded by the mailbox lock, `batch` by that of
///   the core, which is taken first.
public final class Mailbox<Handler: MessageHandler>: @unchecked Sendable {
    /// Where the observation of the source goes on.
    public let observation: ObservationID
    @usableFromInline let core: Core<Handler>
    @usableFromInline let incoming = MessageQueue<Handler.Stored, Handler.Author>()
    @usableFromInline let batch = MessageQueue<Handler.Stored, Handler.Author>()
    /// Whether messages wait, and the mailbox is held for them.
    @usableFromInline var isHeld = false

    /// - Parameter other: the observation in which the mailbox's own goes on, behind another one.
    @inlinable
    public init(handler: Handler, destroy: Destroy? = nil, continuingIn other: ObservationID? = nil) {
        core = Core()
        observation = core.observe(handler, destroy: destroy, continuingIn: other)
    }

    /// - Parameter make: makes the handler of the mailbox's observation.
    @inlinable
    public init(destroy: Destroy? = nil, _ make: (ObservationID) -> Handler) {
        core = Core()
        observation = core.observe(destroy: destroy, make)
    }

    deinit { core.close() }

    /// Names the observation, for those who look at what it does.
    ///
    /// - Parameter name: copied.
    public func call(_ name: UnsafePointer<CChar>) {
        core.lock()
        if let slot = SlotMap.find(observation), slot.pointee.details?.pointee.name == nil, let copy = strdup(name) {
            slot.pointee.call(copy)
        }
        core.unlock()
    }

    /// Takes in a message of the source.
    ///
    /// - Parameters:
    ///   - retain: called if nothing was waiting. The caller that is told that the last message is `taken` lets go.
    ///   - release: called if the refused message was the only one. Neither runs foreign code.
    ///   - schedule: asks the executor for one call of `deliverNext()`, or, where it gives up what it
    ///     accepted, of `dropNext()`. False if the executor refuses: the message is gone then, or, where
    ///     several threads put some in at once (law 5), the one that came last.
    @inlinable
    public func put(
        _ message: Handler.Message, _ author: Handler.Author, retain: () -> Void = {}, release: () -> Void = {},
        schedule: () -> Bool
    ) -> Outcome {
        guard let kept = Handler.copy(message) else { return .noMemory }
        core.notePending()
        platform_mailbox_lock_acquire(core.lockIndex)
        incoming.append(kept, author)
        if !isHeld {
            isHeld = true
            retain()
        }
        platform_mailbox_lock_release(core.lockIndex)
        if schedule() { return .sent }
        core.forgetPending()
        core.lock()
        platform_mailbox_lock_acquire(core.lockIndex)
        let refused = incoming.popLast() ?? batch.popLast()
        let wasLast = isHeld && incoming.count + batch.count == 0
        if wasLast { isHeld = false }
        platform_mailbox_lock_release(core.lockIndex)
        core.unlock()
        if wasLast { release() }
        return withExtendedLifetime(refused) { .handlerFailed }
    }

    /// Delivers the first message that waits, or, while another thread delivers, leaves it to that one.
    @inlinable @discardableResult
    public func deliverNext() -> Taken {
        core.lock()
        guard let next = take() else {
            core.unlock()
            return Taken(any: false, last: false)
        }
        let sending = core.decide(next.element.message, next.element.author)
        core.unlock()
        _ = core.perform(sending, next.element.message, next.element.author)
        return Taken(any: true, last: next.isLast)
    }

    /// Notes that a message is about to wait in the executor, or that it was refused there.
    public func notePending() { core.notePending() }
    public func forgetPending() { core.forgetPending() }

    /// Delivers a message at once, past all that wait, so none must. The caller is where messages are
    /// delivered.
    @inlinable
    public func deliver(_ message: Handler.Message, _ author: Handler.Author) {
        _ = core.send(message, author: author)
    }

    /// Gives up the first message that waits.
    @inlinable
    public func dropNext() -> Taken {
        core.lock()
        let dropped = take()
        core.unlock()
        if dropped != nil, core.isTraced { platform_cause_release(core.takePending()) }
        return withExtendedLifetime(dropped) { Taken(any: dropped != nil, last: dropped?.isLast ?? false) }
    }

    /// The first message that waits. The lock of the core is held.
    @inlinable
    func take() -> (element: MessageQueue<Handler.Stored, Handler.Author>.Element, isLast: Bool)? {
        if batch.count == 0 {
            platform_mailbox_lock_acquire(core.lockIndex)
            batch.takeAll(of: incoming)
            platform_mailbox_lock_release(core.lockIndex)
        }
        guard let first = batch.popFirst() else { return nil }
        guard batch.count == 0 else { return (first, false) }
        platform_mailbox_lock_acquire(core.lockIndex)
        let isLast = incoming.count == 0
        if isLast { isHeld = false }
        platform_mailbox_lock_release(core.lockIndex)
        return (first, isLast)
    }
}

/// A look into a mailbox, which has taken out a message.
public struct Taken {
    /// Whether a message was waiting.
    public let any: Bool
    /// Whether it was the last one, so that the mailbox need not be held for waiting messages any more.
    public let last: Bool

    @inlinable init(any: Bool, last: Bool) {
        self.any = any
        self.last = last
    }
}
