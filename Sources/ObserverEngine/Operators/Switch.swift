// SPDX-License-Identifier: MIT

/// The link from the source of a transform, which can change, to the transform.
///
/// When the source changes, what the one before has sent still arrives, before what the new one sends: the
/// observation of the old one ends in its turn among the messages there, and the new subscription waits for that.
/// Where a source is set again that has not got so far, its new observation begins in that turn, so that no message
/// comes by both.
public final class Switch<Source: AnyObject, Handler: MessageHandler> {
    @usableFromInline
    struct State {
        /// `nil` where it is not kept.
        @usableFromInline var source: Source?
        @usableFromInline var core: Unmanaged<Core<Handler>>?
        /// The last that has begun.
        @usableFromInline var observation: ObservationID?
        /// The last subscription, which the next one has to wait for.
        @usableFromInline var subscription: SourceSubscription<Handler>?
        @usableFromInline var changes = 0
        @usableFromInline var isOver = false

        @inlinable init() {}
    }

    /// Makes a handler that applies the transform's step and sends the result: for a source, whose messages it
    /// serializes where the subscription says so, or for a serializer.
    public typealias MakeHandler = (_ core: Core<Handler>, SourceSubscription<Handler>?) -> Handler
    /// Begins to observe a source. If others of the same source are unfinished, it receives nothing until `Core.join`,
    /// or stops them in its turn.
    public typealias Observe = (
        _ source: Source, _ unfinished: [ObservationID], _ make: (ObservationID) -> Handler
    ) -> ObservationID

    @usableFromInline let state = Guarded(State())
    /// These end with the transform: observations of previous sources that still have something to send, the present
    /// one, and those of what is enqueued. Made with the first change.
    @usableFromInline let previous = Guarded<Keeper?>(nil)
    @usableFromInline let keepsSource: Bool
    @usableFromInline let core: (Source) -> Core<Handler>
    @usableFromInline let downstream: AnyCore
    @usableFromInline let destroy: Destroy?
    @usableFromInline let observe: Observe?
    @usableFromInline let makeHandler: MakeHandler

    /// - Parameters:
    ///   - core: of a source.
    ///   - downstream: the core of the transform.
    ///   - destroy: ends the handlers.
    ///   - observe: `nil` where the core of the source is observed as it is.
    @inlinable
    public init(
        _ source: Source, keepsSource: Bool = true, core: @escaping (Source) -> Core<Handler>,
        feeding downstream: AnyCore, destroy: Destroy? = nil, observe: Observe? = nil,
        _ makeHandler: @escaping MakeHandler
    ) {
        self.keepsSource = keepsSource
        self.core = core
        self.downstream = downstream
        self.destroy = destroy
        self.observe = observe
        self.makeHandler = makeHandler
        let itsCore = core(source), subscription = subscribe(to: itsCore)
        state.withLock { state in
            state.source = keepsSource ? source : nil
            state.core = .passUnretained(itsCore)
            state.subscription = subscription
        }
        _ = begin(source, itsCore, subscription, after: [], of: 0)
    }

    @inlinable
    func subscribe(to core: Core<Handler>, later isLater: Bool = false) -> SourceSubscription<Handler> {
        SourceSubscription(core, later: isLater) { [downstream, destroy, makeHandler] serializer in
            serializer.observe(makeHandler(serializer, nil), destroy: destroy, feeding: downstream)
        }
    }

    /// Begins to observe a source, and notes the observation before that receives anything, which may stop it.
    @inlinable @inline(never)
    func begin(
        _ source: Source, _ core: Core<Handler>, _ subscription: SourceSubscription<Handler>,
        after unfinished: [ObservationID], of change: Int
    ) -> ObservationID {
        let make = { (id: ObservationID) -> Handler in
            self.note(id, of: change)
            return self.makeHandler(core, subscription)
        }
        if let observe { return observe(source, unfinished, make) }
        return core.observe(destroy: destroy, feeding: downstream, pendingJoin: !unfinished.isEmpty, make)
    }

    /// Ends for good: nothing comes in any more.
    ///
    /// - Returns: The source that was kept: the caller decides how to release it.
    @inlinable @discardableResult
    public func end() -> Source? {
        let before = state.withLock { state in
            defer {
                state.source = nil
                state.observation = nil
                state.subscription = nil
                state.isOver = true
            }
            return state
        }
        before.observation?.stop()
        // The end of one source lets through what the next one has sent, if that still has where to go.
        previous.withLock { $0 }?.stopAll(backwards: true)
        return before.source
    }

    /// The source, where it is kept.
    @inlinable
    public var source: Source? { state.withLock { $0.source } }

    /// Observes another source from now on, or none.
    ///
    /// - Returns: What remains to be done, without a lock; `nil` if it is the same source.
    @inlinable
    public func change(to source: Source?) -> (() -> Void)? {
        let core = source.map { self.core($0) }
        if let source, let core, isSubscribed(by: source, core) { return nil }
        let subscription = core.map { subscribe(to: $0, later: true) }
        let previous = makePrevious()
        if let delivery = subscription?.delivery { previous.keep(delivery) }
        let (before, change) = state.withLock { state in
            let before = state
            state.changes += 1
            state.source = keepsSource ? source : nil
            state.core = core.map { .passUnretained($0) }
            if let subscription {
                before.subscription?.next = subscription
                state.subscription = subscription
            }
            return (before, state.changes)
        }
        var unfinished = core.map { previous.living(of: $0) } ?? []
        // What another change has begun since is not ours to stop.
        if state.withLock({ $0.changes }) != change { unfinished = [] }
        if core?.isUnordered == true {
            // There is no turn: what a thread delivers meanwhile would come by the old observation and by the new one.
            for one in unfinished { one.stop() }
            unfinished = []
        }
        let observation = source.map { begin($0, core!, subscription!, after: unfinished, of: change) }
        return { [self] in
            if !unfinished.isEmpty { core!.join(observation!, after: unfinished) }
            // Once: where there was no source, the one before that had been left already, and must not be kept busy.
            if before.core != nil { finish(before.observation) }
            withExtendedLifetime(before) {}
        }
    }

    /// Notes an observation. Where another change has come since, or the end, it never receives anything: what other
    /// threads and handlers set meanwhile looks for messages on their way in what has been noted.
    @inlinable @inline(never)
    func note(_ observation: ObservationID, of change: Int) {
        // Before others can see it, and leave it.
        if change > 0 { makePrevious().keep(observation) }
        let isOvertaken = state.withLock { state in
            guard state.changes == change, !state.isOver else { return true }
            state.observation = observation
            return false
        }
        if isOvertaken { observation.stop() }
    }

    @inlinable
    func isSubscribed(by source: Source, _ core: Core<Handler>) -> Bool {
        let now = state.withLock { $0 }
        if keepsSource { return isSame(now.source, source) }
        // Another core may have come to lie where a dead one was.
        return now.core?.toOpaque() == Unmanaged.passUnretained(core).toOpaque()
            && now.observation?.isLiving == true
    }

    /// Lets what a source has sent arrive, and stops observing it.
    @inlinable
    func finish(_ observation: ObservationID?) {
        // It may have died, where it is not kept.
        guard let observation, let core = observation.livingCore else { return }
        known(core, as: Core<Handler>.self).afterEnqueued { observation.stop() }
    }

    @usableFromInline
    func makePrevious() -> Keeper {
        if let present = previous.withLock({ $0 }) { return present }
        let made = Keeper()
        if let first = state.withLock({ $0.observation }) { made.keep(first) }
        return previous.withLock { previous in
            let keeper = previous ?? made
            previous = keeper
            return keeper
        }
    }

    /// Takes in a message that no source has sent, enqueued with those of the sources.
    @inlinable
    public func take(_ message: Handler.Message, author: Handler.Author) {
        state.withLock { $0.subscription }?.serialize(message, author)
    }
}
