// SPDX-License-Identifier: MIT

import ObserverEngine

/// A value that can be observed.
///
///     let title = Variable("Welcome")
///     title.beObserved(by: label, onChanged: { $0.text = $1 })
///     title.accept("Welcome back")
///
/// Whatever it accepts is sent, also if it equals the value before. Values arrive in the order in which they
/// were accepted, with observers in the order in which they began; one that is accepted inside a handler is
/// there at once, and is delivered after the value before it has reached all observers. Any thread may do
/// anything with a variable at any time.
public final class Variable<Value> {
    @usableFromInline let source: ValueSource<Value>

    /// A variable with its first value.
    @inlinable
    public init(_ value: Value) { source = ValueSource(value) }

    /// The value that was accepted last.
    @inlinable public var currentValue: Value { source.variable.get()! }

    /// Takes a new value, and hands it to all observers.
    @inlinable
    public func accept(_ newValue: Value) { source.accept(newValue) }

    /// Makes the new value of the old one, in one step, whatever other threads do.
    ///
    ///     counter.accept { $0 + 1 }
    ///
    /// - Parameter change: runs again if another thread is faster, so it should do nothing else.
    @inlinable
    public func accept(_ change: (Value) -> Value) {
        _ = source.variable.update(author: ()) { change($0!) }
    }
}

extension Variable: Observable {
    /// The variable as something that can be observed and not changed. It keeps the value, not this object.
    @inlinable public var asAnyObservable: AnyObservable<Value> { AnyObservable(source) }
}
