// SPDX-License-Identifier: MIT

import ObserverEngine

/// Something that can be observed, whatever is behind it: a variable, or a mapping of one.
///
///     protocol ModelProtocol: AnyObject {
///         var title: AnyObservable<String> { get }
///     }
///
/// It keeps what is behind it alive.
public struct AnyObservable<Value> {
    @usableFromInline let source: ValueSource<Value>
    /// Where this is a mapping: what holds it and its source.
    let mapping: MappingHolder<Value>?

    @usableFromInline
    init(_ source: ValueSource<Value>) {
        self.source = source
        mapping = nil
    }

    init(_ source: ValueSource<Value>, heldBy mapping: MappingHolder<Value>) {
        self.source = source
        self.mapping = mapping
    }

    /// The latest value, if there is one. What the source of a mapping has may not have arrived here yet.
    var latestValue: Value? { mapping?.latestValue ?? source.variable.get() }

    /// Itself: `asAnyObservable` is a method in the published code, and a property in its document.
    public func callAsFunction() -> AnyObservable<Value> { self }
}

/// An observable that an ``AnyObservable`` can stand for.
public protocol Observable<Value> {
    /// The type of the values.
    associatedtype Value

    /// The observable behind this one.
    var asAnyObservable: AnyObservable<Value> { get }
}

extension AnyObservable: Observable {
    /// Itself.
    public var asAnyObservable: AnyObservable<Value> { self }
}

extension Observable {
    /// Calls a closure with the latest value, if there is one.
    public func runWithLatestValue(_ body: (Value) throws -> Void) rethrows {
        if let value = asAnyObservable.latestValue { try body(value) }
    }
}

// Absent: nothing of the original, but that the methods of execution are not all cases of their enum.
