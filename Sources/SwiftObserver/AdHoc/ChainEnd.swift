// SPDX-License-Identifier: MIT

import ObserverEngine

/// Tells the beginning of a chain of its end.
@usableFromInline
struct ChainEnd {
    /// Whether there are steps, which take one message at a time.
    @usableFromInline var isTransformed = false
    /// The observation of the handler, where messages wait in front of it.
    @usableFromInline let continuation: ObservationID?

    @inlinable init(continuation: ObservationID? = nil) { self.continuation = continuation }

    /// The same end, seen from before a step.
    @inlinable var transformed: ChainEnd {
        var end = self
        end.isTransformed = true
        return end
    }
}
