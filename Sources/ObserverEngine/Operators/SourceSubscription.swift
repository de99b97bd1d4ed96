// SPDX-License-Identifier: MIT

import Synchronization

/// Brings the messages of one source to a handler: one at a time, always.
///
///     source --> subscription --> handler                     a source that keeps order delivers one at a time anyway
///     source --> subscription --> serializer --> handler      one that does not (law 5), or that came after another one
///
/// The observation of the source holds its subscription, so a subscription ends when its last call has returned. Then
/// the next subscription lets its messages through, which have waited until then.
///
/// - Note: `@unchecked Sendable`: the lock of the source guards `serializer` and `delivery`, `next` is set before the
///   last reference to this goes, and nothing else changes.
public final class SourceSubscription<Handler: MessageHandler>: @unchecked Sendable {
    // Not kept: the source outlives every call of a handler that observes it.
    @usableFromInline let source: Unmanaged<Core<Handler>>
    /// Lets a serializer deliver to the handler.
    @usableFromInline let connect: (Core<Handler>) -> ObservationID
    /// Whether another source came before.
    @usableFromInline let isLater: Bool
    @usableFromInline var serializer: Core<Handler>?
    /// The observation of the serializer, with which it ends.
    @usableFromInline var delivery: ObservationID?
    /// Lets its messages through when this has ended.
    @usableFromInline var next: SourceSubscription?

    /// - Parameters:
    ///   - connect: begins the observation of a serializer by the handler.
    ///   - isLater: whether its messages wait until the subscription before has ended, which then has to let them through.
    @inlinable
    public init(
        _ source: Core<Handler>, later isLater: Bool = false, connect: @escaping (Core<Handler>) -> ObservationID
    ) {
        self.source = .passUnretained(source)
        self.connect = connect
        self.isLater = isLater
        if isLater {
            let made = Core<Handler>()
            delivery = connect(made)
            made.suspend()
            serializer = made
        }
    }

    deinit {
        guard let serializer else {
            next?.resume()
            return
        }
        if let next { serializer.afterEnqueued { next.resume() } }
        serializer.close()
    }

    /// Whether messages have to go through `serialize`, and must not be handled as they come.
    @inlinable
    public var needsSerializer: Bool { isLater || source._withUnsafeGuaranteedRef { $0.isUnordered } }

    /// Handles a message after those before it.
    @inlinable @inline(never)
    public func serialize(_ message: Handler.Message, _ author: Handler.Author) {
        let outcome = madeSerializer().send(message, author: author)
        if outcome != .sent { source._withUnsafeGuaranteedRef { $0.reportFailure(outcome) } }
    }

    @usableFromInline
    func resume() { serializer?.resume() }

    /// The core in between, made when it is first needed.
    @inlinable
    func madeSerializer() -> Core<Handler> {
        if isLater { return serializer! }
        let source = source.takeUnretainedValue()
        source.lock()
        let present = serializer
        source.unlock()
        if let present { return present }
        let made = Core<Handler>()
        let id = connect(made)
        source.lock()
        if serializer == nil {
            serializer = made
            delivery = id
        }
        let winner = serializer!
        source.unlock()
        if !isSame(winner, made) { made.close() }
        return winner
    }
}
