// SPDX-License-Identifier: MIT

import ObserverEngine

/// Lets a handler end its own observation, also when it is called before anybody knows which that is.
@usableFromInline
final class Ending: Sendable {
    @usableFromInline let state = Guarded<(observation: ObservationHandle?, isOver: Bool)>((nil, false))

    @inlinable init() {}

    @inlinable
    func begin(_ observation: ObservationHandle) {
        let isOver = state.withLock { state in
            state.observation = observation
            return state.isOver
        }
        if isOver { observation.finish() }
    }

    @inlinable
    func end() {
        let observation = state.withLock { state in
            state.isOver = true
            return state.observation
        }
        observation?.finish()
    }
}
