// SPDX-License-Identifier: MIT

/// An action of the owner between two messages, in the order in which it was asked for. It runs without a lock, and may
/// `offer` messages.
public typealias Barrier = () -> Void

/// The actions of the owner of a core between messages.
@usableFromInline
final class Barriers {
    /// Replays of observations that have begun meanwhile: they come before the next message.
    @usableFromInline let replays = MessageQueue<Barrier, UInt64>()
    /// The others, each with the number of messages that come before it.
    @usableFromInline let others = MessageQueue<Barrier, UInt64>()

    @inlinable init() {}
}

extension MessageQueue {
    @inlinable var first: Element? { count > 0 ? self[0] : nil }
    @inlinable var firstAuthor: Author? { count > 0 ? (storage! + head).pointee.author : nil }
}
