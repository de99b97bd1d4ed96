// SPDX-License-Identifier: MIT

public import Dispatch
import ObserverEngine

extension Publisher {
    /// A publisher that is subscribed to on a queue, later, and unsubscribed from there, too.
    ///
    /// A subscription that is invalidated before its turn never begins. Updates come where the source posts
    /// them; none comes after the subscription has been invalidated.
    public func dispatch(subscribeQueue: DispatchQueue) -> Publisher<Update> {
        nonisolated(unsafe) let source = Upstream(self)
        return Publisher { updateBlock in
            let line = Mailbox(handler: MessageClosure(updateBlock))
            let late = SingleAssignment<Subscription>()
            subscribeQueue.async {
                late.begin { source.subscribe { line.deliver($0, ()) } }?.invalidate()
            }
            return Subscription {
                line.observation.stop()
                if let begun = late.end() { subscribeQueue.async { begun.invalidate() } }
            }
        }
    }

    /// A publisher whose updates come on a queue, later, one at a time and in order. None comes after the
    /// subscription has been invalidated.
    public func dispatch(updateQueue: DispatchQueue) -> Publisher<Update> {
        let upstream = Upstream(self)
        return Publisher { updateBlock in
            let mailbox = Mailbox(handler: MessageClosure(updateBlock))
            let subscription = upstream.subscribe { update in
                _ = mailbox.put(update, ()) {
                    updateQueue.async { mailbox.deliverNext() }
                    return true
                }
            }
            return Subscription {
                mailbox.observation.stop()
                subscription.invalidate()
            }
        }
    }
}
