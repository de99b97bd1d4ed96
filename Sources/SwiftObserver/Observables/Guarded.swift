// SPDX-License-Identifier: MIT

internal import CPlatform

/// Something that several threads use, one at a time.
///
/// - Note: `@unchecked Sendable`: the state is guarded by the lock. Neither foreign code nor another lock
///   comes under it, so a closure hands out what is to be let go instead of letting it go.
@usableFromInline
final class Guarded<State>: @unchecked Sendable {
    @usableFromInline var state: State

    @inlinable
    init(_ state: State) { self.state = state }

    @inlinable
    func withLock<Result>(_ body: (inout State) -> Result) -> Result {
        let index = lockIndex(of: self)
        acquireLock(index)
        defer { releaseLock(index) }
        return body(&state)
    }
}

@usableFromInline
func lockIndex(of object: AnyObject) -> UInt32 {
    let address = UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())
    return UInt32(truncatingIfNeeded: address >> 4) % UInt32(PLATFORM_LOCKS)
}

@usableFromInline
func acquireLock(_ index: UInt32) { platform_keeper_lock_acquire(index) }

@usableFromInline
func releaseLock(_ index: UInt32) { platform_keeper_lock_release(index) }
