// SPDX-License-Identifier: MIT

/// Something that begins later, or elsewhere, and may be over before it has begun.
///
///     let late = LateBeginning<ObservationID>()
///     executor.run { late.begin { core.observe(handler) }?.stop() }
///     late.end()?.stop()
///
/// The caller that gets what has begun has to end it. Any thread may call either, in any order.
///
/// - Note: `@unchecked Sendable`: the state is guarded, and what has begun changes threads only through it.
public final class SingleAssignment<Begun>: @unchecked Sendable {
    @usableFromInline let state = Guarded(State(begun: nil, isOver: false))

    @usableFromInline
    struct State {
        @usableFromInline var begun: Begun?
        @usableFromInline var isOver: Bool

        @inlinable
        init(begun: Begun?, isOver: Bool) {
            self.begun = begun
            self.isOver = isOver
        }
    }

    @inlinable
    public init() {}

    /// Begins, unless it is over.
    ///
    /// - Returns: What has begun, if it was over by then.
    @inlinable
    public func begin(_ make: () -> Begun) -> Begun? {
        guard !state.withLock({ $0.isOver }) else { return nil }
        let begun = make()
        return state.withLock { state in
            guard !state.isOver else { return begun }
            state.begun = begun
            return nil
        }
    }

    /// It is over.
    ///
    /// - Returns: What had begun.
    @inlinable
    public func end() -> Begun? {
        state.withLock { state in
            defer { state.begun = nil }
            state.isOver = true
            return state.begun
        }
    }
}
