// SPDX-License-Identifier: MIT

/// A property of a class that can be observed. Its variable is what `$` gives.
///
///     class Dog {
///         @Observed var hunger = 0
///     }
///
///     observer.observe(dog.$hunger) { update in print(update.new) }
///     dog.hunger = 5
///
/// The property is read and set like any other, on any thread if its value is `Sendable`. A structure cannot have one: its
/// copies would share the value.
@propertyWrapper
public struct Observed<Value> {
    /// The variable behind the property.
    public let projectedValue: Var<Value>

    /// A property with its first value.
    @inlinable
    public init(wrappedValue: Value) { projectedValue = Var(wrappedValue) }

    /// A property without a value yet.
    @inlinable
    public init() where Value: ExpressibleByNilLiteral { projectedValue = Var() }

    /// The value of the variable, in the object whose property this is.
    @inlinable
    public static subscript<Object: AnyObject>(
        _enclosingInstance object: Object, wrapped _: ReferenceWritableKeyPath<Object, Value>,
        storage storage: ReferenceWritableKeyPath<Object, Observed>
    ) -> Value {
        get { object[keyPath: storage].projectedValue.value }
        set { object[keyPath: storage].projectedValue.value = newValue }
    }

    @available(
        *, unavailable,
        message: """
            @Observed is for properties of classes: copies of a structure would share the value. In a structure, in a function \
            and at the top level, use a Var
            """
    )
    public var wrappedValue: Value {
        get { fatalError("unavailable") }
        nonmutating set { fatalError("unavailable") }
    }
}

extension Observed: Sendable where Value: Sendable {}

extension Observed: Equatable where Value: Equatable {}

extension Observed: Hashable where Value: Hashable {}
