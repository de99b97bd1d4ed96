// SPDX-License-Identifier: MIT

import CPlatform

/// Something that several threads use, one at a time.
///
/// - Note: `@unchecked Sendable`: the state is guarded by the lock. Neither foreign code nor another lock
///   comes under it, so a closure returns what has to be released instead of releasing it.
public final class Guarded<State>: @unchecked Sendable {
    @usableFromInline @exclusivity(unchecked) final var state: State

    @inlinable
    public init(_ state: State) { self.state = state }

    @inlinable
    public func withLock<Result>(_ body: (inout State) -> Result) -> Result {
        let address = UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque())
        let index = UInt32(truncatingIfNeeded: address >> 4) % UInt32(PLATFORM_LOCKS)
        platform_keeper_lock_acquire(index)
        defer { platform_keeper_lock_release(index) }
        return body(&state)
    }
}
