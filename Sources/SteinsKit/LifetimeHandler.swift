// SPDX-License-Identifier: MIT

import ObserverEngine

/// A handler that is a closure, and the lifetime for which it is called.
@usableFromInline @frozen
struct LifetimeHandler<Message>: CopyingHandler {
    @usableFromInline let call: (Message) -> Void
    /// `nil` where it is called for as long as it is not stopped.
    @usableFromInline let lifetime: WeakLifetime?

    @inlinable
    init(lifetime: WeakLifetime?, _ call: @escaping (Message) -> Void) {
        self.call = call
        self.lifetime = lifetime
    }

    @inlinable static var tombstone: LifetimeHandler { LifetimeHandler(lifetime: nil) { _ in } }

    @inlinable func receive(_ message: Message, _ author: Void) { call(message) }
}
