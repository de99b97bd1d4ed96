// SPDX-License-Identifier: MIT

import ObserverEngine
import Synchronization

/// Carries the messages of one observation to a handler that has to run on an actor.
///
/// Where the sender is on the actor already the handler is called at once; otherwise the message waits
/// for the actor. One that comes in while others wait takes them along, because they were there first.
///
///     sender --on the actor, nothing waits----------------> handler
///     sender --otherwise--> mailbox --on the actor, later--> handler
///
/// - Note: `@unchecked Sendable`: only code on the actor uses `isBusy` and `cameMeanwhile`, and nothing else
///   changes that does not guard itself.
@usableFromInline
final class ActorDelivery<Message>: @unchecked Sendable {
    @usableFromInline let mailbox: Mailbox<ClosureHandler<Message>>
    @usableFromInline let isolation: Isolation
    /// How many messages have been put into the mailbox from elsewhere and not been handled.
    @usableFromInline let waiting = Atomic<Int>(0)
    /// Whether the handler is being called past the mailbox, or what has come meanwhile is being delivered.
    @usableFromInline @exclusivity(unchecked) var isBusy = false
    /// How many messages have come meanwhile, on the actor.
    @usableFromInline @exclusivity(unchecked) var cameMeanwhile = 0

    @inlinable
    init(_ handler: ClosureHandler<Message>, to actor: any Actor, continuingIn other: ObservationID?) {
        mailbox = Mailbox(handler: handler, continuingIn: other)
        isolation = Isolation(actor)
    }

    /// The handler that takes in the messages: it calls another one, past the mailbox where it can.
    ///
    /// That is one more call that can be running when the observation is stopped: `ObservationHandle.waitsForParts`.
    @inlinable
    func taking(_ handler: ClosureHandler<Message>) -> ClosureHandler<Message> {
        // What it captures is called directly, because to call a handler that is captured is to copy it.
        switch handler {
        case .message(let receive):
            return .authored { [self] message, author in
                guard beginCall() else { return carry(message, author) }
                receive(message)
                endCall()
            }
        case .authored(let receive):
            return .authored { [self] message, author in
                guard beginCall() else { return carry(message, author) }
                receive(message, author)
                endCall()
            }
        }
    }

    /// Whether the handler can be called at once: then `endCall` has to follow.
    @inlinable @inline(__always)
    func beginCall() -> Bool {
        guard isolation.isCurrent, !isBusy, waiting.load(ordering: .acquiring) == 0 else { return false }
        isBusy = true
        return true
    }

    @inlinable @inline(__always)
    func endCall() {
        if cameMeanwhile != 0 { deliverWhatCameMeanwhile() }
        isBusy = false
    }

    @usableFromInline
    func deliverWhatCameMeanwhile() {
        while cameMeanwhile != 0 {
            cameMeanwhile = 0
            deliverAll()
        }
    }

    @usableFromInline
    func carry(_ message: Message, _ author: AnyObject) {
        guard isolation.isCurrent else { return carryLater(message, author) }
        _ = mailbox.put(message, author) {
            if isBusy { cameMeanwhile += 1 } else { deliverAll() }
            return true
        }
    }

    private func deliverAll() { while mailbox.deliverNext().any {} }

    private func carryLater(_ message: Message, _ author: AnyObject) {
        waiting.add(1, ordering: .acquiring)
        _ = mailbox.put(message, author) {
            isolation.runLater { [self] in
                // Inside of a call only where that runs a loop of its own.
                if isBusy { cameMeanwhile += 1 } else { mailbox.deliverNext() }
                waiting.subtract(1, ordering: .releasing)
            }
            return true
        }
    }
}
