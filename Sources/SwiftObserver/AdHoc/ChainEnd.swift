// SPDX-License-Identifier: MIT

import ObserverEngine

/// Tells the beginning of a chain of its end.
@usableFromInline
struct ChainEnd {
    /// Whether there are steps, which take one message at a time.
    @usableFromInline var isTransformed = false
    /// The observation of the handler, where messages wait in front of it.
    @usableFromInline let continuation: ObservationID?
    /// Ends an observation that brings messages to where they wait for others, when those that it has brought have come
    /// through.
    @usableFromInline let finishBehind: ((ObservationID) -> Void)?

    @inlinable
    init(continuation: ObservationID? = nil, finishBehind: ((ObservationID) -> Void)? = nil) {
        self.continuation = continuation
        self.finishBehind = finishBehind
    }

    /// Has a step receive the last message, and ends the observation: before that, where nothing waits behind it.
    @inlinable
    func finish(_ observation: ObservationID, with receive: () -> Void = {}) {
        guard let finishBehind else {
            observation.finish()
            return receive()
        }
        receive()
        finishBehind(observation)
    }

    /// The same end, seen from before a step.
    @inlinable var transformed: ChainEnd {
        var end = self
        end.isTransformed = true
        return end
    }
}
