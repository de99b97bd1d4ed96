// SPDX-License-Identifier: MIT

import ObserverEngine

// The compiler takes tuples apart for other closures, but not for those that may belong to an actor.

extension Observable {
    /// An observable that sends what a closure makes of the two parts of each message.
    ///
    ///     let area = combine(width.new(), height.new()).map { width, height in width * height }
    @inlinable
    public func map<First, Second, Mapped>(
        @_inheritActorContext _ map: @escaping @Sendable @isolated(any) (First, Second) -> Mapped
    ) -> Mapper<Self, Mapped> where Message == (First, Second) {
        let mapHere = called(map)
        return Mapper(self, map: { mapHere($0.0, $0.1) }, on: map.isolation)
    }

    /// An observable that sends what a closure makes of the three parts of each message.
    @inlinable
    public func map<First, Second, Third, Mapped>(
        @_inheritActorContext _ map: @escaping @Sendable @isolated(any) (First, Second, Third) -> Mapped
    ) -> Mapper<Self, Mapped> where Message == (First, Second, Third) {
        let mapHere = calledWithAny(map)
        return Mapper(self, map: { mapHere($0.0, $0.1, $0.2) }, on: map.isolation)
    }

    /// An observable that sends what a closure makes of the four parts of each message.
    @inlinable
    public func map<First, Second, Third, Fourth, Mapped>(
        @_inheritActorContext _ map: @escaping @Sendable @isolated(any) (First, Second, Third, Fourth) -> Mapped
    ) -> Mapper<Self, Mapped> where Message == (First, Second, Third, Fourth) {
        let mapHere = calledWithAny(map)
        return Mapper(self, map: { mapHere($0.0, $0.1, $0.2, $0.3) }, on: map.isolation)
    }
}
