// SPDX-License-Identifier: MIT

import ObserverEngine

/// A variable whose assignments take their turn among its messages: each is made when all observers have been offered
/// the update before. A message that is sent straight to the messenger takes no such turn.
///
///     let level = DeferredVar(0)
///     observer.observe(level) { update in
///         level.value = min(update.new, 10)
///         print(update.new, level.value)      // level.value is update.new
///     }
///     level.value = 12                        // 12 12, then 10 10
///
/// So what a handler reads is the new value of the update that it was given, even if it is set meanwhile. Outside a
/// delivery an assignment is made at once. Everything else is as with ``Var``, whose new value can always be read at
/// once (law 15); there is no `update`, because what is to be changed in one step cannot wait.
public final class DeferredVar<Value>: BufferedObservable {
    /// Carries the updates to the observers.
    public let messenger = Messenger<Update<Value>>(of: DeferredVar.self)

    @usableFromInline let variable: DeferredVariable<Value, ClosureHandler<Update<Value>>>

    /// A variable with its first value.
    @inlinable
    public init(_ value: Value) {
        variable = DeferredVariable(
            core: messenger.core, value: value, isEqual: equality(like: value), makeMessage: { Update($0, $1) })
        messenger.defersAssignments = true
    }

    /// A variable without a value yet.
    @inlinable
    public convenience init() where Value: ExpressibleByNilLiteral { self.init(nil) }

    /// The value as of the updates that observers have been offered, or are being. Setting it sends an update when its
    /// turn has come, if it changes then.
    @inlinable
    public var value: Value {
        get { variable.get() }
        set { set(newValue) }
    }

    /// Sets the value and names the author. The variable itself is the author, if none is named. In a transaction it cannot
    /// be set: it changes in a turn of its own.
    @inlinable
    public func set(_ value: Value, author: AnyObject? = nil) {
        variable.set(value, author: author ?? self).requireSet()
    }

    /// The present value as an update that changes nothing.
    @inlinable
    public var latestMessage: Update<Value> {
        let value = value
        return Update(value, value)
    }
}

/// - Note: `@unchecked`: the value guards itself, and nothing else changes.
extension DeferredVar: @unchecked Sendable where Value: Sendable {}
