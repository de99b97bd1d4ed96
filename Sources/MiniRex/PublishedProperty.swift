// SPDX-License-Identifier: MIT

import ObserverEngine

/// A property together with a publisher of its value.
///
///     let name = PublishedProperty(withInitialValue: "Ann")
///     let subscription = name.publisher.subscribe { name in print(name) }
///     name.value = "Bob"
///
/// Subscribers receive the value on subscribing and whenever it changes: by `==` where it is `Equatable`, by
/// identity where it is another reference, at every assignment where it is anything else, also in generic code.
public final class PublishedProperty<Value> {
    @usableFromInline let variable: Variable<Value, ValueClosure<Value>>

    /// A property with its first value.
    @inlinable
    public init(withInitialValue initialValue: Value) {
        variable = Variable(
            core: Core(of: PublishedProperty.self), value: initialValue, isEqual: equality(like: initialValue),
            makeMessage: { Update($0, $1) })
    }

    @inlinable
    deinit { variable.core.closeInLoop() }

    /// The value. What is set can be read at once, and is posted in its turn.
    @inlinable public var value: Value {
        get { variable.get() }
        set { variable.set(newValue, author: ()).requireSet() }
    }

    /// Posts the value. It does not keep the property.
    @inlinable public var publisher: Publisher<Value> {
        Publisher { [weak self] updateBlock in
            guard let self else { return .empty }
            let variable = variable
            return Subscription(
                variable.core.observe(replaying: { variable.replay(oldValue: { $0.old }, author: ()) }) { _ in
                    ValueClosure(updateBlock)
                })
        }
    }
}
