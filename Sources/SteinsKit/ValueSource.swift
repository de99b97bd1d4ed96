// SPDX-License-Identifier: MIT

import ObserverEngine

/// A value and its observers: what is behind a variable, a lazy variable and a mapping.
///
///     Variable ----> ValueSource ----> handler ----> ValueSource of a mapping ----> handler - - > observer
///
/// Arrows are strong references, and point one way only.
@usableFromInline
final class ValueSource<Value> {
    /// `nil` before there is a value. Messages always have a new one.
    @usableFromInline let variable: ObserverEngine.Variable<Value?, LifetimeHandler<Update<Value?>>>
    private let sweeper = Sweeper()

    @inlinable
    init(_ value: Value?) {
        // Whatever is accepted is sent.
        variable = ObserverEngine.Variable(
            core: Core(of: SteinsKit.Variable<Value>.self), value: value, isEqual: { _, _ in false },
            makeMessage: { Update($0, $1) })
    }

    @inlinable
    deinit {
        // A mapping that nothing holds ends then, and what is mapped of that.
        variable.core.closeInLoop()
    }

    @inlinable
    func accept(_ value: Value) { variable.set(value, author: ()).requireSet() }

    /// Begins an observation, which receives the present value first, if there is one.
    @usableFromInline
    func observe(_ make: (ObservationID) -> LifetimeHandler<Update<Value?>>) {
        sweeper.sweep(variable.core) { $0.lifetime?.isBroken == true }
        let variable = variable
        variable.core.observe(
            replaying: { variable.replay(oldValue: { $0.old }, author: ()).filter { $0.message.new != nil } }, make)
    }
}
