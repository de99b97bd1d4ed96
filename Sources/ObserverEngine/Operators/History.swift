// SPDX-License-Identifier: MIT

/// Remembers the last messages of an observable, for those that begin to observe it later.
///
/// It is told each message by an observation of the observable, the first of all, so that it has a
/// message when any other observer may have it, and not before.
///
/// - Note: `@unchecked Sendable`: everything is guarded by the lock of the core.
public final class History<Handler: MessageHandler>: @unchecked Sendable {
    @usableFromInline let core: Unmanaged<Core<Handler>>
    @usableFromInline let messages = MessageQueue<Handler.Stored, Handler.Author>()
    /// `nil` remembers everything.
    @usableFromInline let limit: Int?

    /// - Parameter core: must outlive this.
    @inlinable
    public init(of core: Core<Handler>, limit: Int?) {
        precondition(limit ?? 0 >= 0, "no negative number of messages can be remembered")
        self.core = .passUnretained(core)
        self.limit = limit
    }

    /// Call this for each message, from an observation that began before all others.
    ///
    /// - Returns: False if there was no memory for a copy.
    @inlinable
    public func remember(_ message: Handler.Message, _ author: Handler.Author) -> Bool {
        guard limit != 0 else { return true }
        guard let kept = Handler.copy(message) else { return false }
        let core = core._withUnsafeGuaranteedRef { $0 }
        core.lock()
        messages.append(kept, author)
        var forgotten: MessageQueue<Handler.Stored, Handler.Author>.Element?
        if let limit, messages.count > limit { forgotten = messages.popFirst() }
        core.unlock()
        // Released here, without the lock, because that may run foreign code.
        return withExtendedLifetime(forgotten) { true }
    }

    /// The remembered messages, or the last of them, the oldest first.
    @inlinable
    public func replay(last count: Int = .max) -> [Replayed<Handler>] {
        let core = core._withUnsafeGuaranteedRef { $0 }
        core.lock()
        defer { core.unlock() }
        return (max(0, messages.count - count)..<messages.count).map { messages[$0] }
    }
}

extension MessageQueue {
    @inlinable subscript<Handler: MessageHandler>(offset: Int) -> Replayed<Handler>
    where Handler.Stored == Stored, Handler.Author == Author {
        let element: Element = self[offset]
        return Replayed(element.message, element.author)
    }
}
