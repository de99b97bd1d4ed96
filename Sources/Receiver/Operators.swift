// SPDX-License-Identifier: MIT

import ObserverEngine

/// Operators make a receiver of another, with the same strategy. It lives as long as its source, whether it is
/// held or not, and what it remembers it shares among its listeners.
extension Receiver {
    /// A receiver of what a closure makes of each wave.
    ///
    ///     sent      1  2  3
    ///     mapped   10 20 30
    @inlinable
    public func map<Mapped>(_ transform: @escaping (Wave) -> Mapped) -> Receiver<Mapped> {
        derive(mapping(transform))
    }

    /// A receiver of the waves that are wanted.
    ///
    ///     sent     1 2 3 4
    ///     passed     2   4
    @inlinable
    public func filter(_ isIncluded: @escaping (Wave) -> Bool) -> Receiver<Wave> {
        derive(filtering(isIncluded))
    }

    /// A receiver of each wave together with the one before it.
    ///
    ///     sent      1        2      3
    ///     passed   (nil, 1) (1, 2) (2, 3)
    @inlinable
    public func withPrevious() -> Receiver<(Wave?, Wave)> {
        derive(chaining(addingPrevious(), mapping { ($0.previous, $0.current) }))
    }

    /// A receiver that leaves out the first waves. Their number must not be negative.
    ///
    ///     sent               1 2 3 4
    ///     passed, count: 2       3 4
    @inlinable
    public func skip(count: Int) -> Receiver<Wave> {
        derive(skipping(count))
    }

    /// A receiver of the first waves and no others. Their number must not be negative.
    ///
    ///     sent               1 2 3 4
    ///     passed, count: 2   1 2
    @inlinable
    public func take(count: Int) -> Receiver<Wave> {
        derive(taking(count))
    }

    /// A receiver with the same strategy, of what a step makes of the waves of this one.
    @inlinable
    func derive<Output>(_ step: @escaping Step<Wave, Output>) -> Receiver<Output> {
        let derived = Receiver<Output>(replayingUpTo: limit)
        derived.core.setDepth(above: core)
        listen { wave in
            if let made = step(wave) { _ = derived.core.pass(made, author: ()) }
        }
        return derived
    }
}

/// An optional, where code is generic.
public protocol OptionalProtocol<Wrapped> {
    /// The value inside.
    associatedtype Wrapped

    /// The value as the optional that it is.
    var optional: Wrapped? { get }
}

extension Optional: OptionalProtocol {
    /// Itself.
    @inlinable public var optional: Wrapped? { self }
}

extension Receiver where Wave: OptionalProtocol {
    /// A receiver of what is in each wave, without those that are `nil`.
    ///
    ///     sent    1 nil 3
    ///     passed  1     3
    @inlinable
    public func skipNil() -> Receiver<Wave.Wrapped> {
        derive { $0.optional }
    }
}

extension Receiver where Wave: Equatable {
    /// A receiver that leaves out each wave that equals the one before it.
    ///
    ///     sent    1 1 2 2 1
    ///     passed  1   2   1
    @inlinable
    public func skipRepeats() -> Receiver<Wave> {
        derive(skippingRepeats(by: ==))
    }
}

extension Receiver where Wave: Hashable {
    /// A receiver of each wave that was never sent before. It remembers them all.
    ///
    ///     sent    1 2 1 3 2
    ///     passed  1 2   3
    @inlinable
    public func uniqueValues() -> Receiver<Wave> {
        derive(takingUnique())
    }
}
