// SPDX-License-Identifier: MIT

/// Something that is done only while somebody observes what comes of it.
///
///     first observation begins  -->  begin(run)  -->  messages ...  -->  finish(run)
///     last observation ends     -->  cancelled, and begun anew for the next one, unless it is done
///
/// What is done, and how messages are sent, is the observable's business. Each beginning is a run with a
/// number of its own, by which what comes of a cancelled run is told apart.
///
/// The core keeps this, and this does not keep the core: whoever calls it holds the observable.
///
/// - Note: `@unchecked Sendable`: `begin` is set once, before anybody observes; all else is guarded.
public final class Demand<Handler: MessageHandler>: @unchecked Sendable {
    /// The number of a beginning.
    public typealias Run = UInt64
    public typealias Cancel = () -> Void

    /// Begins a run, and returns what cancels it. Set once, before anybody observes. Runs without a lock.
    public var begin: (Run) -> Cancel = { _ in {} }

    private let core: Unmanaged<Core<Handler>>
    private let hidden: Int
    private let state = Guarded(State())

    private struct State {
        var run: Run = 0
        var isRunning = false
        var isDone = false
        var cancel: Cancel?
        var latest: Handler.Waiting?
    }

    /// - Parameters:
    ///   - core: of the observable, whose observations begin with `replay`.
    ///   - hidden: how many of them are the observable's own, and do not count.
    public init(of core: Core<Handler>, hiding hidden: Int = 0) {
        self.core = .passUnretained(core)
        self.hidden = hidden
        core.follow { [self] remaining in
            if remaining == hidden { abandoned() }
        }
    }

    /// What a new observer receives first: the latest message that was remembered. Its coming begins the work.
    public func replay(author: Handler.Author) -> [Replayed<Handler>] {
        startIfNeeded().map { [Replayed($0, author)] } ?? []
    }

    /// Remembers a message for later observers. Call this for each message, from an observation that began
    /// before all others.
    public func remember(_ message: Handler.Message) {
        let kept = Handler.keep(message)
        // The one before is let go here, without the lock.
        let forgotten = state.withLock { state in
            defer { state.latest = kept }
            return state.latest
        }
        withExtendedLifetime(forgotten) {}
    }

    /// Whether what comes of a run is still wanted.
    public func isWanted(_ run: Run) -> Bool { state.withLock { $0.run == run } }

    /// Ends a run.
    ///
    /// - Parameter isDone: whether it need never be done again.
    /// - Returns: Whether the run was wanted, so that its last message is to be sent.
    public func finish(_ run: Run, isDone: Bool) -> Bool {
        let (isCurrent, cancel) = state.withLock { state -> (Bool, Cancel?) in
            guard state.run == run, state.isRunning else { return (false, nil) }
            defer { state.cancel = nil }
            state.isRunning = false
            state.isDone = isDone
            return (true, state.cancel)
        }
        return withExtendedLifetime(cancel) { isCurrent }
    }

    /// Cancels what is being done, because the observable dies.
    public func cancel() {
        let cancel = state.withLock { state in
            state.run += 1
            return state.cancel
        }
        cancel?()
    }

    /// Begins a run, unless there is one or no need of any.
    ///
    /// - Returns: The latest message of a run that began before.
    @discardableResult
    private func startIfNeeded() -> Handler.Waiting? {
        let (latest, run) = state.withLock { state -> (Handler.Waiting?, Run?) in
            guard !state.isRunning, !state.isDone else { return (state.latest, nil) }
            state.isRunning = true
            state.run += 1
            return (nil, state.run)
        }
        if let run { start(run) }
        return latest
    }

    private func start(_ run: Run) {
        let cancel = begin(run)
        let isCurrent = state.withLock { state in
            guard state.run == run else { return false }
            // It may have finished before it was known how to cancel it.
            if state.isRunning { state.cancel = cancel }
            return true
        }
        if !isCurrent { cancel() }
    }

    /// The last observer has left.
    private func abandoned() {
        let (cancel, forgotten) = state.withLock { state -> (Cancel?, Handler.Waiting?) in
            guard state.isRunning else { return (nil, nil) }
            defer {
                state.isRunning = false
                state.run += 1
                state.cancel = nil
                state.latest = nil
            }
            return (state.cancel, state.latest)
        }
        cancel?()
        withExtendedLifetime(forgotten) {}
        // Somebody may have joined before the work was cancelled, and counts on it.
        if core.takeUnretainedValue().observationCount > hidden { startIfNeeded() }
    }
}
