// SPDX-License-Identifier: MIT

import ObserverEngine

/// Posts updates to those who have subscribed by then, and guarantees nothing about when.
///
///     let broadcaster = Broadcaster<String>()
///     let subscription = broadcaster.publisher.subscribe { text in print(text) }
///     broadcaster.broadcast(update: "hello")
public final class Broadcaster<Update> {
    @usableFromInline let core = Core<MessageClosure<Update>>(of: Broadcaster.self)

    /// A broadcaster without subscribers.
    @inlinable
    public init() {}

    @inlinable
    deinit { core.closeInLoop() }

    /// Posts an update. Called inside an update block, or while another thread posts, it returns before the
    /// update has been delivered.
    @inlinable
    public func broadcast(update: Update) { _ = core.sendForProgram(update, author: ()) }

    /// Posts what is broadcast. It does not keep the broadcaster.
    @inlinable public var publisher: Publisher<Update> {
        Publisher { [weak self] updateBlock in
            guard let self else { return .empty }
            return Subscription(core.observe(MessageClosure(updateBlock)))
        }
    }
}
