// SPDX-License-Identifier: MIT

import ObserverEngine
import Synchronization

/// Carries the messages of one observation to a handler that has to run on an actor.
///
/// Where the sender is on the actor already the handler is called at once; otherwise the message waits
/// for the actor. One that comes in while others wait takes them along, because they were there first.
@usableFromInline
final class ActorDelivery<Message>: Sendable {
    @usableFromInline let mailbox: Mailbox<ClosureHandler<Message>>
    @usableFromInline let isolation: Isolation
    /// How many messages have been put into the mailbox from elsewhere and not been handled.
    @usableFromInline let waiting = Atomic<Int>(0)

    @inlinable
    init(_ handler: ClosureHandler<Message>, to actor: any Actor, continuingIn other: ObservationID?) {
        mailbox = Mailbox(handler: handler, continuingIn: other)
        isolation = Isolation(actor)
    }

    @inlinable
    func carry(_ message: Message, _ author: AnyObject) {
        guard isolation.isCurrent else { return carryLater(message, author) }
        if waiting.load(ordering: .acquiring) == 0 { return mailbox.deliver(message, author) }
        carryBehindOthers(message, author)
    }

    @usableFromInline
    func carryBehindOthers(_ message: Message, _ author: AnyObject) {
        _ = mailbox.put(message, author) {
            while mailbox.deliverNext().any {}
            return true
        }
    }

    @usableFromInline
    func carryLater(_ message: Message, _ author: AnyObject) {
        waiting.add(1, ordering: .acquiring)
        _ = mailbox.put(message, author) {
            isolation.runLater { [self] in
                mailbox.deliverNext()
                waiting.subtract(1, ordering: .releasing)
            }
            return true
        }
    }
}
