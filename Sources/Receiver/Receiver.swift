// SPDX-License-Identifier: MIT

import ObserverEngine

/// Listens to the waves that its transmitter broadcasts.
///
///     let (transmitter, receiver) = Receiver<Int>.make()
///     receiver.listen { wave in print(wave) }
///     transmitter.broadcast(1)
///
/// Waves arrive in the order in which they were broadcasted, one at a time, with listeners in the order in
/// which they began. One that is broadcasted from inside a handler waits until the one before it has reached
/// all listeners. Any thread may do anything with a receiver at any time.
///
/// A receiver keeps its listeners until they are disposed of. It lives as long as it, or a transmitter of it,
/// is held; then its listeners end.
public final class Receiver<Wave> {
    /// Receives each wave.
    public typealias Handler = (Wave) -> Void

    @usableFromInline let core: Core<MessageClosure<Wave>>
    /// The waves that new listeners receive first, unless there are none.
    @usableFromInline let history: History<MessageClosure<Wave>>?
    @usableFromInline let limit: Int?

    /// - Parameter limit: how many waves are replayed; `nil` for all.
    @inlinable
    init(replayingUpTo limit: Int?) {
        let core = Core<MessageClosure<Wave>>(of: Receiver.self)
        self.core = core
        self.limit = limit
        guard limit != 0 else {
            history = nil
            return
        }
        let history = History(of: core, limit: limit)
        // The first observation of all, so that what others receive has been remembered.
        _ = core.observe(MessageClosure { _ = history.remember($0, ()) })
        self.history = history
    }

    @inlinable
    deinit {
        // What derives from this ends then, and what derives from that.
        core.closeInLoop()
    }

    /// A transmitter and its receiver. One is no good without the other.
    ///
    /// - Parameter strategy: what is replayed to new listeners; nothing, if not said otherwise.
    @inlinable
    public static func make(with strategy: Strategy = .hot) -> (Transmitter, Receiver) {
        let receiver = Receiver(replayingUpTo: strategy.limit)
        return (Transmitter(receiver), receiver)
    }

    /// The same as `make(with:)`, as the text of the original's document has it.
    @inlinable
    public static func make(strategy: Strategy) -> (Transmitter, Receiver) { make(with: strategy) }

    /// Calls a closure for each wave, as often as one likes.
    ///
    ///     receiver.listen { wave in print(wave) }
    ///     receiver.listen(to: print)
    ///
    /// The waves that the strategy replays go to this closure alone, before any later wave. If nothing is being
    /// delivered it has been received when this returns.
    ///
    /// - Returns: What ends it. Releasing that does not end it.
    @inlinable @discardableResult
    public func listen(to handle: @escaping Handler) -> Disposable {
        let handler = MessageClosure(handle)
        guard let history else { return Disposable(core.observe(handler)) }
        return Disposable(core.observe(replaying: { history.replay() }) { _ in handler })
    }
}

// Absent: nothing of the original. Its `Receiver` and `Disposable` could be subclassed; these cannot.
