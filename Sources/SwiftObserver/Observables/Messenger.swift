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
/// all observers. Any thread may do anything with a messenger at any time.
///
/// A messenger does not keep its observers alive, nor do they keep it. When it dies, its observations end.
public final class Messenger<Message>: Observable {
    @usableFromInline let core: Core<ClosureHandler<Message>>
    /// The transform that this is the messenger of, if it is one's. Set once, when the transform is made.
    @usableFromInline weak var upstream: (any Upstream)?

    /// Has the messages that new observers receive first, where this replays. Set once, when the observable is made.
    @usableFromInline @exclusivity(unchecked) var replay: Replay<ClosureHandler<Message>>?

    /// Whether this is the messenger of a variable whose assignments wait for their turn, as replays have to then. Set
    /// once, when the observable is made.
    @usableFromInline var defersAssignments = false

    /// How many observations are the observable's own. Set once, when it is made.
    @usableFromInline var hiddenObservations = 0

    #if DEBUG
        /// Where observations of this began, if it is the messenger of a transform. Set once, when that is made.
        @usableFromInline var beginnings: Beginnings?
    #endif

    /// Stops observations for objects that have died.
    @usableFromInline let sweeper = Sweeper()

    /// Makes this the messenger of a transform. Called when that is made.
    @inlinable
    func belongs(to transform: any Upstream) {
        upstream = transform
        #if DEBUG
            beginnings = Beginnings()
        #endif
    }

    /// Ends a transform that this is the messenger of.
    ///
    /// - Parameter sources: the messengers that it observes.
    @inlinable @inline(__always)
    func endTransform(of sources: @autoclosure () -> [any AnyMessenger], _ end: @escaping () -> Void) {
        #if DEBUG
            beginnings?.end(core.latestThread, from: sources, end)
        #else
            unwinding(end)
        #endif
    }

    /// A messenger without observers.
    @inlinable
    public convenience init() { self.init(of: Messenger.self) }

    /// - Parameter type: the observable that this is the messenger of, for the graph.
    @inlinable
    init(of type: Any.Type) { core = Core(of: type) }

    @inlinable
    deinit { core.closeInLoop() }

    /// Itself.
    @inlinable public var messenger: Messenger<Message> { self }

    /// Sends a message to all observers.
    ///
    /// - Parameters:
    ///   - message: what all observers receive.
    ///   - author: who caused the message. The messenger itself, if no author is named.
    @inlinable
    public func send(_ message: Message, author: AnyObject? = nil) {
        // What is in the way here is a way of its own: else the compiler retains the author for both.
        if _slowPath(core.isBesideFunctions) { return sendBesideFunctions(message, author) }
        _ = core.send(message, author: author ?? self)
    }

    @inlinable @inline(never)
    func sendBesideFunctions(_ message: Message, _ author: AnyObject?) {
        _ = core.sendBesideFunctions(message, author: author ?? self)
    }

    /// Begins an observation that feeds something made from this.
    @inlinable
    func observe(
        _ handler: ClosureHandler<Message>, feeding downstream: AnyCore
    ) -> ObservationID {
        guard replay != nil else { return core.observe(handler, feeding: downstream) }
        return observe(feeding: downstream) { _ in handler }
    }

    /// Begins an observation of the observable's own. Called when it is made.
    func observeItself(_ handler: ClosureHandler<Message>) {
        core.observe(handler, feeding: core)
        hiddenObservations += 1
    }

    /// - Parameters:
    ///   - others: what ends in the turn of the replay, or of `join`.
    ///   - replay: what is received first, if not what this replays to all.
    @inlinable
    func observe(
        continuingIn other: ObservationID? = nil, feeding downstream: AnyCore? = nil,
        replaying replay: Replay<ClosureHandler<Message>>? = nil, after others: [ObservationID] = [],
        _ make: (ObservationID) -> ClosureHandler<Message>
    ) -> ObservationID {
        guard let replay = replay ?? self.replay else {
            return core.observe(continuingIn: other, feeding: downstream, pendingJoin: !others.isEmpty, make)
        }
        let inItsTurn = {
            for one in others { one.stop() }
            return replay()
        }
        return core.observe(
            continuingIn: other, feeding: downstream, replaying: others.isEmpty ? replay : inItsTurn,
            inTurn: defersAssignments || !others.isEmpty, make)
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

    /// How many waiting messages a thread delivers for others before it offers the rest to one that sends: a thousand,
    /// unless this is set. `nil`: it never does, and delivers until nothing waits.
    ///
    ///     readings.deliveryBudget = 10
    ///
    /// The order stays. A small number shortens the longest send, a large one makes all of them together faster. A
    /// delivery in progress may go on with the number before. It must be greater than 0.
    public var deliveryBudget: Int? {
        get { core.messagesToRelief }
        set {
            precondition(newValue ?? 1 > 0, "a delivery budget is at least one message, or nil")
            core.setBudget(newValue ?? 0)
        }
    }
}

/// - Note: `@unchecked`: the core may be used by any thread, and nothing else changes once the observable
///   is made that this is the messenger of.
extension Messenger: @unchecked Sendable where Message: Sendable {}
