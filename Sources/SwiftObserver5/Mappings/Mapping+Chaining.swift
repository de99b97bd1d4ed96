// SPDX-License-Identifier: MIT

import ObserverEngine

// A mapping of a mapping is one mapping of the original source, with both filters.

extension Mapping {
    /// A mapping of the same source, which also maps with a closure what this one sends.
    @inlinable
    public func map<Mapped>(_ map: @escaping (MappedMessage) -> Mapped) -> Mapping<Source, Mapped> {
        chain(nil, map)
    }

    /// A mapping of the same source, which sends only what passes of what this one sends.
    @inlinable
    public func filter(_ filter: @escaping (MappedMessage) -> Bool) -> Mapping {
        chain(filter) { $0 }
    }

    /// A mapping of the same source, which sends the new value of each change.
    @inlinable
    public func new<Value>() -> Mapping<Source, Value> where MappedMessage == Change<Value> { map { $0.new } }

    /// A mapping of the same source, which sends what is in each message, or a default.
    @inlinable
    public func unwrap<Wrapped>(_ defaultMessage: Wrapped) -> Mapping<Source, Wrapped> where MappedMessage == Wrapped? {
        map { $0 ?? defaultMessage }
    }

    @inlinable
    func chain<Output>(
        _ next: ((MappedMessage) -> Bool)?, _ map: @escaping (MappedMessage) -> Output
    ) -> Mapping<Source, Output> {
        let both = { [map, first = self.map] in map(first($0)) }
        guard let next else {
            return Mapping<Source, Output>(source, filter: filter, map: both, step: chaining(step, mapping(map)))
        }
        let passes = { [filter, first = self.map] in filter?($0) != false && next(first($0)) }
        let step = chaining(step, chaining(filtering(next), mapping(map)))
        return Mapping<Source, Output>(source, filter: passes, map: both, step: step)
    }
}

extension Mapping where MappedMessage: Equatable {
    /// A mapping of the same source, which says when one particular message is sent, and nothing else.
    @inlinable
    public func select(_ message: MappedMessage) -> Mapping<Source, Void> {
        chain({ $0 == message }) { _ in }
    }
}
