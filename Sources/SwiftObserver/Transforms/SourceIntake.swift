// SPDX-License-Identifier: MIT

import ObserverEngine

/// How a transform takes in the messages of a source that can change: one at a time, always.
@usableFromInline
final class SourceIntake<Source: Observable> {
    @usableFromInline let state: Guarded<State>
    @usableFromInline let handler: ClosureHandler<Source.Message>
    /// Brings the messages of an old and of a new source into line. Made with the first change.
    @usableFromInline let line = Guarded<Core<ClosureHandler<Source.Message>>?>(nil)

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

    @inlinable
    init(_ source: Source, _ handler: ClosureHandler<Source.Message>) {
        self.handler = handler
        let messenger = source.messenger
        let intake = Intake(source: messenger.core, handler: handler)
        state = Guarded(State(source: source, observation: messenger.observe(handler.takingIn(through: intake))))
    }

    @inlinable
    func end() {
        state.withLock { $0.observation }?.stop()
        line.withLock { $0 }?.close()
    }

    @inlinable
    var source: Source {
        get { state.withLock { $0.source } }
        set {
            let (old, change) = state.withLock { state in
                let old = (source: state.source, observation: state.observation)
                state.source = newValue
                state.observation = nil
                state.changes += 1
                return (old, state.changes)
            }
            old.observation?.stopAndWait()
            let line = makeLine()
            let observation = newValue.messenger.observe(.authored { _ = line.send($0, author: $1) })
            let isOvertaken = state.withLock { state in
                guard state.changes == change else { return true }
                state.observation = observation
                return false
            }
            if isOvertaken { observation.stop() }
        }
    }

    @inlinable
    func makeLine() -> Core<ClosureHandler<Source.Message>> {
        let made = Core<ClosureHandler<Source.Message>>()
        _ = made.observe(handler)
        let line = line.withLock { line in
            if line == nil { line = made }
            return line!
        }
        if line !== made { made.close() }
        return line
    }
}
