// SPDX-License-Identifier: MIT

import Synchronization

/// Raised and lowered, seen by every thread.
public final class Flag: Sendable {
    private let state = Atomic(false)
    public init() {}
    public func raise() { state.store(true, ordering: .sequentiallyConsistent) }
    public func lower() { state.store(false, ordering: .sequentiallyConsistent) }
    public var isRaised: Bool { state.load(ordering: .sequentiallyConsistent) }
}
