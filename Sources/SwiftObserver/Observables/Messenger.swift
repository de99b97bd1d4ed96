// SPDX-License-Identifier: MIT

import ObserverEngine

/// The minimal observable, and the heart of every other: it carries messages to its observers.
///
///     let textMessenger = Messenger<String>()
///     observer.observe(textMessenger) { text in print(text) }
///     textMessenger.send("my text message")
///
/// Messages arrive in the order in which they were sent, one at a time, with observers in the order
/// in which they began. A message sent from inside a handler waits until the one before it has reached
/// everybody. Any thread may do anything with a messenger at any time.
///
/// A messenger does not keep its observers alive, nor do they keep it. When it dies, its observations end.
public final class Messenger<Message>: Observable {
    @usableFromInline let core: Core<ClosureHandler<Message>>
    /// The transform that this is the messenger of, if it is one's. Set once, when the transform is made.
    @usableFromInline weak var origin: (any Origin)?

    /// What new observers receive first, where this replays. Set once, when the observable is made.
    @usableFromInline var replay: Replay<ClosureHandler<Message>>?

    /// Lets new observers receive their replays, where these wait for a turn. Set once, when the observable is made.
    @usableFromInline var join: (() -> Void)?

    /// How many observations are the observable's own. Set once, when it is made.
    @usableFromInline var hiddenObservations = 0

    /// Stops observations for objects that have died.
    @usableFromInline let sweeper = Sweeper()

    /// A messenger that nobody observes yet.
    @inlinable
    public init() { core = Core() }

    @inlinable
    deinit { core.close() }

    /// Itself.
    @inlinable public var messenger: Messenger<Message> { self }

    /// Sends a message to all observers.
    ///
    /// - Parameters:
    ///   - message: what all observers receive.
    ///   - author: whoever caused the message. The messenger itself, if nobody else is named.
    @inlinable
    public func send(_ message: Message, author: AnyObject? = nil) {
        _ = core.send(message, author: author ?? self)
    }

    @inlinable
    func observe(_ handler: ClosureHandler<Message>) -> ObservationID {
        guard let replay else { return core.observe(handler) }
        return observe(handler, replaying: replay)
    }

    /// Begins an observation of the observable's own. Called when it is made.
    func observeItself(_ handler: ClosureHandler<Message>) {
        core.say(core.observe(handler), isFor: core)
        hiddenObservations += 1
    }

    /// - Parameter begun: is told the id before the replay is received.
    @inlinable
    func observe(
        _ handler: ClosureHandler<Message>, continuingIn other: ObservationID? = nil,
        replaying replay: @escaping Replay<ClosureHandler<Message>>, begun: (ObservationID) -> Void = { _ in }
    ) -> ObservationID {
        if let join, let id = core.observe(handler, continuingIn: other, replayingLater: replay) {
            begun(id)
            join()
            return id
        }
        return core.observe(handler, continuingIn: other, replaying: replay, begun: begun)
    }

    /// Whether messages keep the order in which they were sent, which is what a new messenger does.
    ///
    /// Set to `false`, each send delivers at once on its own thread: from inside a handler nested in the
    /// delivery in progress, on several threads in parallel. A change takes effect when no delivery is
    /// in progress.
    @inlinable
    public var maintainsMessageOrder: Bool {
        get { core.maintainsMessageOrder }
        set { core.maintainsMessageOrder = newValue }
    }
}

/// - Note: `@unchecked`: the core may be used by any thread, and nothing else changes once the observable
///   is made that this is the messenger of.
extension Messenger: @unchecked Sendable where Message: Sendable {}
