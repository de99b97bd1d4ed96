// SPDX-License-Identifier: MIT

import ObserverEngine

/// A value that can be observed: it sends an ``Update`` whenever it changes.
///
///     let number = Var(23)
///     observer.observe(number) { update in print(update.old, update.new) }
///     number <- 42
///
/// A change is what `==` calls one, where the value is `Equatable`; another object, where it is a
/// reference; every assignment of anything else. The new value can be read at once. Its message takes
/// its turn in the order. Any thread may read, set and update a variable at any time.
public final class Var<Value>: BufferedObservable {
    /// Carries the updates to the observers.
    public let messenger = Messenger<Update<Value>>(of: Var.self)

    @usableFromInline let variable: ObserverEngine.Variable<Value, ClosureHandler<Update<Value>>>

    /// By which this follows others.
    @usableFromInline let bound = BoundObservations()

    /// A variable with its first value.
    @inlinable
    public init(_ value: Value) {
        variable = ObserverEngine.Variable(
            core: messenger.core, value: value, isEqual: equality(like: value), makeMessage: { Update($0, $1) })
        if InspectedVariables.areWanted { InspectedVariables.note(self, messenger.core) }
    }

    /// A variable without a value yet.
    @inlinable
    public convenience init() where Value: ExpressibleByNilLiteral { self.init(nil) }

    /// The value. Setting it sends an update, if it changes. To change it depending on what it is, use
    /// ``update(author:_:)``: that is one step, whatever other threads do.
    ///
    /// A change in place, as `list.value.append(1)`, copies an array: the old one is what other threads read meanwhile, what the
    /// new one is compared with, and what the update tells of. So each takes time in proportion to the array. To make
    /// many changes make them in an array of your own, and assign it once:
    ///
    ///     var numbers = list.value
    ///     for number in 1...1_000 { numbers.append(number) }
    ///     list.value = numbers
    @inlinable
    public var value: Value {
        get { variable.get() }
        set { set(newValue) }
    }

    /// Sets the value and names the author. The variable itself is the author, if none is named.
    @inlinable
    public func set(_ value: Value, author: AnyObject? = nil) {
        variable.set(value, author: author ?? self).requireSet()
    }

    /// Changes the value in one step, whatever other threads do.
    ///
    ///     counter.update { $0 += 1 }
    ///
    /// - Parameters:
    ///   - author: who caused the change. The variable itself, if no author is named.
    ///   - change: works on a copy, for which an array takes time in proportion to its length, as with ``value``. It runs
    ///     again if another thread sets the value meanwhile, so it should do nothing else.
    @inlinable
    public func update(author: AnyObject? = nil, _ change: (inout Value) -> Void) {
        let outcome = variable.update(author: author ?? self) { old in
            var new = old
            change(&new)
            return new
        }
        outcome?.requireSet()
    }

    /// The present value as an update that changes nothing.
    @inlinable
    public var latestMessage: Update<Value> {
        let value = value
        return Update(value, value)
    }
}

/// - Note: `@unchecked`: the value is guarded by the lock of the core.
extension Var: @unchecked Sendable where Value: Sendable {}
