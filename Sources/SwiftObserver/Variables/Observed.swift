// SPDX-License-Identifier: MIT

/// A property that can be observed. Its variable is what `$` gives.
///
///     class Dog {
///         @Observed var hunger = 0
///     }
///
///     observer.observe(dog.$hunger) { update in print(update.new) }
///     dog.hunger = 5
///
/// The property is read and set like any other, on any thread if its value is `Sendable`.
@propertyWrapper
public struct Observed<Value> {
    /// The variable behind the property.
    public let projectedValue: Var<Value>

    /// A property with its first value.
    @inlinable
    public init(wrappedValue: Value) { projectedValue = Var(wrappedValue) }

    /// The value of the variable.
    @inlinable
    public var wrappedValue: Value {
        get { projectedValue.value }
        nonmutating set { projectedValue.value = newValue }
    }
}

extension Observed: Sendable where Value: Sendable {}

extension Observed: Equatable where Value: Equatable {}

extension Observed: Hashable where Value: Hashable {}

extension Observed: Encodable where Value: Encodable {
    /// Encodes the property like its variable.
    public func encode(to encoder: any Encoder) throws { try projectedValue.encode(to: encoder) }
}

extension Observed: Decodable where Value: Decodable {
    /// Decodes the property like its variable.
    public init(from decoder: any Decoder) throws { projectedValue = try Var(from: decoder) }
}
