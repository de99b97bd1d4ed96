// SPDX-License-Identifier: MIT

/// Something that is done once, while it is observed, and remembers its latest message for later observers.
///
///     first observation begins  -->  begin(run)  -->  messages ...  -->  finish(run)
///     last observation ends     -->  cancelled, and begun again for the next one, unless it is done
///
/// What is done, and how messages are sent, is the observable's business. The number of a run tells what still comes
/// of a cancelled one apart.
///
/// - Note: `@unchecked Sendable`: everything that changes is guarded.
public final class Share<Handler: MessageHandler>: @unchecked Sendable {
    /// The number of a beginning.
    public typealias Run = UInt64
    public typealias Cancel = () -> Void

    private let whileObserved: RefCount<AnyObject>
    private let state = Guarded(State())

    private struct State {
        var run: Run = 0
        var isDone = false
        var cancel: Cancel?
        var latest: Handler.Stored?
    }

    /// - Parameters:
    ///   - core: of the observable, whose observations begin with `replay`.
    ///   - hidden: how many of them are the observable's own, and do not count.
    public init(of core: Core<Handler>, hiding hidden: Int = 0) {
        whileObserved = RefCount(of: core, hiding: hidden)
        whileObserved.follow()
    }

    /// Sets what begins a run, and returns what cancels it. Call this once, before anything observes.
    public func set(_ begin: @escaping (Run) -> Cancel) {
        whileObserved.set(
            ObservedWork(begin: { [state] in Self.start(state, begin) }, end: { [state] in Self.stop(state) }),
            for: nil)
    }

    /// The first message of a new observer: the latest message that was remembered. Its coming begins a run, unless
    /// there is one, or none is needed any more.
    public func replay(for observable: AnyObject, author: Handler.Author) -> [Replayed<Handler>] {
        whileObserved.settle(observable)
        return state.withLock { $0.latest }.map { [Replayed($0, author)] } ?? []
    }

    /// Remembers a message for later observers. Call this for each message, from an observation that began before all
    /// others.
    public func remember(_ message: Handler.Message) {
        let kept = Handler.copy(message)
        // Releases the one before here, without the lock.
        let forgotten = state.withLock { state in
            defer { state.latest = kept }
            return state.latest
        }
        withExtendedLifetime(forgotten) {}
    }

    /// Whether what comes of a run is still wanted.
    public func isWanted(_ run: Run) -> Bool { state.withLock { $0.run == run } }

    /// A run is done, and no other one will be needed.
    ///
    /// - Returns: Whether the run was wanted, so that its last message is to be sent.
    public func finish(_ run: Run) -> Bool {
        let (isCurrent, cancel) = state.withLock { state -> (Bool, Cancel?) in
            guard state.run == run, !state.isDone else { return (false, nil) }
            defer { state.cancel = nil }
            state.isDone = true
            return (true, state.cancel)
        }
        return withExtendedLifetime(cancel) { isCurrent }
    }

    /// Cancels what is being done, because the observable dies.
    public func cancel() { whileObserved.set(nil, for: nil) }

    // These two alternate.

    private static func start(_ state: Guarded<State>, _ begin: (Run) -> Cancel) {
        let run = state.withLock { state -> Run? in
            if state.isDone { return nil }
            state.run += 1
            return state.run
        }
        guard let run else { return }
        let cancel = begin(run)
        // It may be done before it is known how to cancel it.
        state.withLock { if !$0.isDone { $0.cancel = cancel } }
    }

    private static func stop(_ state: Guarded<State>) {
        let (cancel, forgotten) = state.withLock { state -> (Cancel?, Handler.Stored?) in
            if state.isDone { return (nil, nil) }
            defer {
                state.run += 1
                state.cancel = nil
                state.latest = nil
            }
            return (state.cancel, state.latest)
        }
        cancel?()
        withExtendedLifetime(forgotten) {}
    }
}
