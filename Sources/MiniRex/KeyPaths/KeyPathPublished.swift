// SPDX-License-Identifier: MIT

import ObserverEngine

/// A property of a class that can be published by key path.
///
///     @KeyPathPublished var name = "Rex"
///
/// It is read and set like any other, on any thread if its value is `Sendable`.
@propertyWrapper
public struct KeyPathPublished<Value> {
    private let property: KeyPathProperty<Value>

    /// A property with its first value.
    public init(wrappedValue: Value) { property = KeyPathProperty(wrappedValue) }

    /// The value is reached through the object that has the property.
    @available(*, unavailable, message: "only properties of classes can be published by key path")
    public var wrappedValue: Value {
        get { fatalError("unavailable") }
        set { fatalError("unavailable") }
    }

    public static subscript<Owner: AnyObject>(
        _enclosingInstance owner: Owner, wrapped keyPath: ReferenceWritableKeyPath<Owner, Value>,
        storage storage: ReferenceWritableKeyPath<Owner, KeyPathPublished>
    ) -> Value {
        get {
            let property = owner[keyPath: storage].property
            Probe.note(property, keyPath)
            return property.value
        }
        set { owner[keyPath: storage].property.value = newValue }
    }
}

/// The storage of a published property.
final class KeyPathProperty<Value> {
    private struct Event {
        enum Phase { case initial, prior, change }
        let phase: Phase
        let old: Value
        let new: Value
    }

    private let variable: Variable<Value, MessageClosure<Event>>

    init(_ value: Value) {
        // Every assignment is posted, as in key-value observing.
        variable = Variable(
            core: Core(of: KeyPathProperty.self), value: value, isEqual: { _, _ in false },
            makeMessage: { Event(phase: .change, old: $0, new: $1) })
    }

    deinit { variable.core.closeInLoop() }

    var value: Value {
        get { variable.get() }
        set {
            let old = variable.get()
            variable.core.send(Event(phase: .prior, old: old, new: old))
            variable.set(newValue, author: ()).requireSet()
        }
    }

    func subscribe(
        _ options: KeyPathOptions, _ updateBlock: @escaping (KeyPathChange<Value>) -> Void
    ) -> Subscription {
        let variable = variable
        let handler = MessageClosure<Event> { event in
            switch event.phase {
            case .prior where !options.contains(.prior): break
            default:
                updateBlock(
                    KeyPathChange(
                        oldValue: options.contains(.old) && event.phase != .initial ? event.old : nil,
                        newValue: options.contains(.new) && event.phase != .prior ? event.new : nil,
                        isPrior: event.phase == .prior))
            }
        }
        guard options.contains(.initial) else { return Subscription(variable.core.observe(handler)) }
        return Subscription(
            variable.core.observe(
                replaying: {
                    variable.replay(oldValue: { $0.old }, author: ()).map {
                        Replayed(Event(phase: .initial, old: $0.message.old, new: $0.message.new), ())
                    }
                }
            ) { _ in handler })
    }
}
