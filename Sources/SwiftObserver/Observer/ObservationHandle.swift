// SPDX-License-Identifier: MIT

import ObserverEngine

// Not called Observation: that would stand for the standard module of that name in every file that imports
// this one, and no class there could be `@Observable`.

/// Names one observation: one observer, what it observes, one handler.
///
///     let observation = dog.observe(sky) { color in print(color) }
///     observation.stop()
///
/// This is a mere name. It keeps nothing alive, and releasing it stops nothing: that the observer
/// lives is what keeps an observation going. Any thread may use it, at any time, also long after the end.
public struct ObservationHandle: Hashable, Sendable {
    @usableFromInline let id: ObservationID
    /// Where several observables are observed by one handler, or messages wait on their way to it: the
    /// observations by which they come in.
    @usableFromInline let parts: [ObservationID]
    /// Whether the handler can be called by the parts, too. Then these do not wait for anything that it does.
    @usableFromInline let waitsForParts: Bool
    /// Whether the observation has ended with the first part that ends, and not only with the last.
    @usableFromInline let needsAllParts: Bool

    @inlinable
    init(id: ObservationID, parts: [ObservationID] = [], waitsForParts: Bool = false, needsAllParts: Bool = true) {
        self.id = id
        self.parts = parts
        self.waitsForParts = waitsForParts
        self.needsAllParts = needsAllParts
    }

    /// Ends the observation. No call of its handler begins any more; one that is running on another
    /// thread may finish.
    ///
    /// - Returns: Whether the observation was living.
    @inlinable @discardableResult
    public func stop() -> Bool {
        let wasLiving = id.stop()
        for part in parts { part.stop() }
        return wasLiving
    }

    /// Ends the observation and returns when its handler is running on no other thread.
    ///
    /// From inside the handler itself it returns at once, and the observation ends when the handler returns.
    ///
    /// - Returns: Whether the observation was living.
    @inlinable @discardableResult
    public func stopAndWait() -> Bool {
        let wasLiving = id.stopAndWait()
        // All are stopped before any is waited for, as one may be held up by another.
        for part in parts { part.stop() }
        if waitsForParts { for part in parts { part.stopAndWait() } }
        return wasLiving
    }

    /// Whether the observation has not ended: neither stopped, nor is the observer or an observable dead.
    @inlinable public var isLiving: Bool { id.isLiving && (!needsAllParts || parts.allSatisfy(\.isLiving)) }

    /// Lets nothing more come in. What has come in, and waits, still arrives.
    @inlinable
    func finish() {
        if parts.isEmpty { id.finish() }
        for part in parts { part.finish() }
    }
}
