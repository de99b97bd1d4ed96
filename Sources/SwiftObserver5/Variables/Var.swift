// SPDX-License-Identifier: MIT

import ObserverEngine

/// A value that can be observed: it sends a ``Change`` whenever it changes.
///
///     let number = Var(23)
///     observer.observe(number) { change in print(change.old, change.new) }
///     number <- 42
///
/// An assignment takes its turn: from inside a handler, or while another thread delivers, the value changes when all
/// observers have been offered the change before. If the value is `Equatable`, it sends when `==` finds a difference; if the
/// value is another reference, when it becomes another object; in all other cases, on every assignment.
public final class Var<Value>: ObservableObject<Change<Value>> {
    @usableFromInline let variable: DeferredVariable<Value, KeptClosure<Change<Value>>>

    /// A variable with its first value.
    @inlinable
    public init(_ value: Value) {
        let core = Core<KeptClosure<Change<Value>>>(of: Var.self)
        variable = DeferredVariable(core: core, value: value, isEqual: equality(like: value)) { Change($0, $1) }
        super.init(core)
    }

    /// A variable without a value yet.
    @inlinable
    public convenience init() where Value: ExpressibleByNilLiteral { self.init(nil) }

    /// The value as of the changes that observers have been offered, or are being.
    @inlinable
    public var value: Value {
        get { variable.get() }
        set { variable.set(newValue, author: ()).requireSet() }
    }

    /// The present value as a change that changes nothing.
    @inlinable
    public override var latestMessage: Change<Value> {
        let value = value
        return Change(value, value)
    }
}

/// Another name for ``Var``.
public typealias Variable = Var

infix operator <- : AssignmentPrecedence

/// Sets the value of a variable: `number <- 42`.
@inlinable
public func <- <Value>(variable: Var<Value>?, value: Value) {
    variable?.value = value
}
