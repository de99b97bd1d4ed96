// SPDX-License-Identifier: MIT

import Synchronization

/// Something that several threads use, one at a time.
///
/// - Note: `@unchecked Sendable`: the state is guarded by the mutex. No foreign code runs under it, so
///   a closure hands out what is to be let go instead of letting it go.
@usableFromInline
final class Guarded<State>: @unchecked Sendable {
    @usableFromInline let mutex = Mutex(())
    @usableFromInline var state: State

    @inlinable
    init(_ state: State) { self.state = state }

    @inlinable
    func withLock<Result>(_ body: (inout State) -> Result) -> Result {
        var result: Result?
        mutex.withLock { _ in result = body(&state) }
        return result!
    }
}
