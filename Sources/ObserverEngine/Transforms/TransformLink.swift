// SPDX-License-Identifier: MIT

/// The link from the source of a transform, which can change, to the transform.
///
/// When the source changes, what the one before has sent still arrives, before what the new one sends: the observation
/// of the old one ends in its turn among the messages there, and the new feed waits for that.
public final class TransformLink<Source: AnyObject, Handler: MessageHandler> {
    /// What feeds the transform, and by which observation.
    @usableFromInline
    struct Upstream {
        @usableFromInline var source: Source?
        @usableFromInline var core: Unmanaged<Core<Handler>>
        @usableFromInline var feed: Feed<Handler>
        @usableFromInline var observation: ObservationID

        @inlinable
        init(source: Source?, core: Core<Handler>, feed: Feed<Handler>, observation: ObservationID) {
            self.source = source
            self.core = .passUnretained(core)
            self.feed = feed
            self.observation = observation
        }
    }

    @usableFromInline
    struct State {
        /// `nil` while the source is being changed, and where there is none.
        @usableFromInline var upstream: Upstream?
        /// The feed that has to end before the next one begins, where there is no upstream.
        @usableFromInline var last: Feed<Handler>?
        @usableFromInline var isOver = false

        @inlinable init() {}
    }

    /// Begins to observe a source with a feed.
    public typealias Begin = (_ source: Source, _ feed: Feed<Handler>) -> ObservationID

    @usableFromInline let state = Guarded(State())
    /// What ends with the transform, beside the upstream: the observations of former sources that still have something to
    /// send, and of what stands in line. Made with the first change.
    @usableFromInline let former = Guarded<Keeper?>(nil)
    @usableFromInline let keepsSource: Bool
    @usableFromInline let core: (Source) -> Core<Handler>
    @usableFromInline let begin: Begin
    @usableFromInline let connect: (Core<Handler>) -> ObservationID

    /// - Parameters:
    ///   - core: of a source.
    ///   - connect: begins the observation of a serializer by what applies the transform's step and sends the result.
    ///   - begin: begins to observe a source with the same, or where the feed says so, with `lineUp`.
    @inlinable
    public init(
        _ source: Source, keepsSource: Bool = true, core: @escaping (Source) -> Core<Handler>,
        connect: @escaping (Core<Handler>) -> ObservationID, begin: @escaping Begin
    ) {
        self.keepsSource = keepsSource
        self.core = core
        self.connect = connect
        self.begin = begin
        let feed = Feed(core(source), connect: connect)
        let upstream = Upstream(
            source: keepsSource ? source : nil, core: core(source), feed: feed, observation: begin(source, feed))
        state.withLock { $0.upstream = upstream }
    }

    /// Ends for good: nothing comes in any more.
    ///
    /// - Returns: The source that was kept, so that the caller decides how it is let go.
    @inlinable @discardableResult
    public func end() -> Source? {
        let (upstream, last) = state.withLock { state in
            defer {
                state.upstream = nil
                state.last = nil
                state.isOver = true
            }
            return (state.upstream, state.last)
        }
        upstream?.observation.stop()
        former.withLock { $0 }?.stopAll()
        return withExtendedLifetime((upstream?.feed, last)) { upstream?.source }
    }

    /// The source, where it is kept.
    @inlinable
    public var source: Source? { state.withLock { $0.upstream?.source } }

    /// The observation of the source.
    @inlinable
    public var observation: ObservationID? { state.withLock { $0.upstream?.observation } }

    @inlinable
    public func isFed(by core: Core<Handler>) -> Bool {
        guard let upstream = state.withLock({ $0.upstream }) else { return false }
        // Another core may have come to lie where a dead one was.
        return upstream.core.toOpaque() == Unmanaged.passUnretained(core).toOpaque() && upstream.observation.isLiving
    }

    /// Observes another source from now on, or none. Changes of one link come one after the other: the caller sees to it.
    ///
    /// - Returns: What remains to be done, without a lock; `nil` if it is the same source.
    @inlinable
    public func change(to source: Source?) -> (() -> Void)? {
        if let source, isFed(by: core(source)) { return nil }
        let before = state.withLock { state in
            defer { state.upstream = nil }
            return (upstream: state.upstream, last: state.upstream?.feed ?? state.last)
        }
        if let source {
            let feed = Feed(core(source), later: true, connect: connect)
            if let delivery = feed.delivery { makeFormer().keep(delivery) }
            if let last = before.last { last.next = feed } else { feed.letThrough() }
            let observation = begin(source, feed)
            let upstream = Upstream(
                source: keepsSource ? source : nil, core: core(source), feed: feed, observation: observation)
            let isOver = state.withLock { state in
                if !state.isOver { state.upstream = upstream }
                state.last = nil
                return state.isOver
            }
            return { [self] in
                if isOver { observation.stop() }
                finish(before.upstream?.observation)
            }
        }
        state.withLock { $0.last = before.last }
        return { [self] in finish(before.upstream?.observation) }
    }

    /// Lets what a source has sent arrive, and stops observing it.
    @inlinable
    func finish(_ observation: ObservationID?) {
        // It may have died, where it is not kept.
        guard let observation, let core = observation.livingCore else { return }
        makeFormer().keep(observation)
        unsafeDowncast(core, to: Core<Handler>.self).afterWhatWaits { observation.stop() }
    }

    @usableFromInline
    func makeFormer() -> Keeper {
        let made = Keeper()
        return former.withLock { former in
            let keeper = former ?? made
            former = keeper
            return keeper
        }
    }

    /// Takes in a message that no source has sent, in line with those of the sources.
    @inlinable
    public func take(_ message: Handler.Message, author: Handler.Author) {
        state.withLock { $0.upstream?.feed }?.lineUp(message, author)
    }
}
