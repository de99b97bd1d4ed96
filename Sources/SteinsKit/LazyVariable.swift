// SPDX-License-Identifier: MIT

import ObserverEngine

/// A value that can be observed, and need not be there yet.
///
///     private let title: LazyVariable<String> = .init()
///
/// Everything else is as with ``Variable``.
public final class LazyVariable<Value> {
    @usableFromInline let source: ValueSource<Value>

    /// A variable without a value yet: observers receive nothing before it has one.
    @inlinable
    public init() { source = ValueSource(nil) }

    /// A variable with its first value.
    @inlinable
    public init(_ value: Value) { source = ValueSource(value) }

    /// The value that was accepted last, if there is one.
    @inlinable public var currentValue: Value? { source.variable.get() }

    /// Takes a new value, and hands it to all observers.
    @inlinable
    public func accept(_ newValue: Value) { source.accept(newValue) }

    /// Makes the new value of the old one, in one step, whatever other threads do.
    ///
    /// - Parameter change: runs again if another thread is faster, so it should do nothing else.
    @inlinable
    public func accept(_ change: (Value?) -> Value) {
        _ = source.variable.update(author: ()) { .some(change($0)) }
    }
}

extension LazyVariable: Observable {
    /// The variable as something that can be observed and not changed. It keeps the value, not this object.
    @inlinable public var asAnyObservable: AnyObservable<Value> { AnyObservable(source) }
}
