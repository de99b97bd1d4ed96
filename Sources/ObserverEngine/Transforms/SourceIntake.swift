// SPDX-License-Identifier: MIT

/// How a transform takes in the messages of a source that can change: one at a time, always.
public final class SourceIntake<Source: AnyObject, Handler: ClosureConvertible> {
    @usableFromInline let state: Guarded<State>
    @usableFromInline let handler: Handler
    @usableFromInline let begin: (Source, Handler) -> ObservationID
    /// Brings the messages of an old and of a new source into line. Made with the first change.
    @usableFromInline let line = Guarded<Core<Handler>?>(nil)

    @usableFromInline
    struct State {
        @usableFromInline var source: Source
        @usableFromInline var observation: ObservationID?
        @usableFromInline var changes = 0

        @inlinable init(source: Source, observation: ObservationID?) {
            self.source = source
            self.observation = observation
        }
    }

    /// - Parameters:
    ///   - handler: is called for each message, of whichever source.
    ///   - first: the same handler for the first source, if that one needs something in between.
    ///   - begin: begins to observe a source.
    @inlinable
    public init(
        _ source: Source, _ handler: Handler, first: Handler? = nil,
        begin: @escaping (Source, Handler) -> ObservationID
    ) {
        self.handler = handler
        self.begin = begin
        state = Guarded(State(source: source, observation: begin(source, first ?? handler)))
    }

    /// Stops observing. Nothing comes in any more.
    @inlinable
    public func end() {
        state.withLock { $0.observation }?.stop()
        line.withLock { $0 }?.close()
    }

    @inlinable
    public var source: Source { state.withLock { $0.source } }

    /// The source and its observation; `nil` while it is being changed.
    @inlinable
    public var sourceAndObservation: (Source, ObservationID)? {
        state.withLock { state in state.observation.map { (state.source, $0) } }
    }

    /// Observes another source from now on.
    ///
    /// - Returns: False if it is the same.
    @inlinable
    public func change(to source: Source) -> Bool {
        let (old, change) = state.withLock { state in
            let old = (source: state.source, observation: state.observation)
            guard old.source !== source else { return (old, 0) }
            state.source = source
            state.observation = nil
            state.changes += 1
            return (old, state.changes)
        }
        guard change > 0 else { return false }
        old.observation?.stopAndWait()
        let line = makeLine()
        let observation = begin(source, Handler { _ = line.send($0, author: $1) })
        let isOvertaken = state.withLock { state in
            guard state.changes == change else { return true }
            state.observation = observation
            return false
        }
        if isOvertaken { observation.stop() }
        return true
    }

    /// Takes in a message that no source has sent, in line with those of the sources.
    @inlinable
    public func take(_ message: Handler.Message, author: Handler.Author) {
        _ = makeLine().send(message, author: author)
    }

    @inlinable
    func makeLine() -> Core<Handler> {
        if let line = line.withLock({ $0 }) { return line }
        let made = Core<Handler>()
        _ = made.observe(handler)
        let line = line.withLock { line in
            if line == nil { line = made }
            return line!
        }
        if line !== made { made.close() }
        return line
    }
}
