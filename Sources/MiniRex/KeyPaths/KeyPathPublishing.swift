// SPDX-License-Identifier: MIT

/// A class whose properties can be published by key path: those that are ``KeyPathPublished``.
///
///     final class Dog: KeyPathPublishing {
///         @KeyPathPublished var name = "Rex"
///     }
///
///     let subscription = dog.publisher(forKeyPath: \.name, options: [.old, .new]).subscribe { change in ... }
///
/// This takes the place of key-value observing, which there is on Apple platforms only: other properties, and
/// those of classes that know nothing of it, cannot be published.
public protocol KeyPathPublishing: AnyObject {}

/// The update that subscribers of a property receive.
public struct KeyPathOptions: OptionSet, Hashable, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// Changes have the new value.
    public static let new = KeyPathOptions(rawValue: 1)
    /// Changes have the old value.
    public static let old = KeyPathOptions(rawValue: 2)
    /// There is an update on subscribing.
    public static let initial = KeyPathOptions(rawValue: 4)
    /// There is an update before each change, too.
    public static let prior = KeyPathOptions(rawValue: 8)
}

/// An update of a property.
public struct KeyPathChange<Value> {
    /// The value before, if it was asked for. The first update has none.
    public let oldValue: Value?
    /// The value after, if it was asked for. An update before the change has none.
    public let newValue: Value?
    /// Whether this comes before the change.
    public let isPrior: Bool
}

extension KeyPathChange: Equatable where Value: Equatable {}

extension KeyPathChange: Sendable where Value: Sendable {}

extension KeyPathPublishing {
    /// A publisher of each assignment to a property, also of those that change nothing. It does not keep the
    /// object.
    ///
    /// - Parameters:
    ///   - keyPath: leads to a property of this object that is ``KeyPathPublished``; another one ends the program.
    ///   - options: what subscribers receive, and when.
    public func publisher<Value>(
        forKeyPath keyPath: KeyPath<Self, Value>, options: KeyPathOptions = [.new]
    ) -> Publisher<KeyPathChange<Value>> {
        let found = Probe.properties { _ = self[keyPath: keyPath] }
        guard found.count == 1, let property = found[0].property as? KeyPathProperty<Value>,
            // In a subclass the same property has another path.
            found[0].keyPath == keyPath || type(of: found[0].keyPath).rootType != Self.self
        else { preconditionFailure("the key path does not lead to a property that is KeyPathPublished") }
        return Publisher { [weak property] in property?.subscribe(options, $0) ?? .empty }
    }

    /// A publisher of the value of a property, which subscribers receive on subscribing and whenever it changes:
    /// by `==` where it is `Equatable`, by identity where it is another reference.
    public func valuePublisher<Value>(forKeyPath keyPath: KeyPath<Self, Value>) -> Publisher<Value> {
        publisher(forKeyPath: keyPath, options: [.initial, .new]).valueTransform { $0.newValue! }
    }
}
