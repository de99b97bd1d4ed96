// SPDX-License-Identifier: MIT

import ObserverEngine

// Nothing fails here: what may fail sends results.

extension Observable {
    /// An observable that sends what a closure makes of each message of this one, or the error that it throws.
    ///
    ///     sent                            "1"         "x"         "3"
    ///     tryMap { try number(of: $0) }   success(1)  failure     success(3)
    ///     catching { error in 0 }                 1           0           3
    ///
    /// - Parameters:
    ///   - retries: how often the closure is called once more, with the same message, when it has thrown. Only its last error
    ///     is sent.
    ///   - map: makes a message, or throws.
    @inlinable
    public func tryMap<Mapped>(
        retrying retries: Int = 0,
        @_inheritActorContext _ map: @escaping @Sendable @isolated(any) (Message) throws -> Mapped
    ) -> Mapper<Self, Result<Mapped, any Error>> {
        Mapper(self, map: trying(called(throwing: map), retries), on: map.isolation)
    }

    /// An observable that sends the values of this one, and in the place of an error what a closure makes of it.
    ///
    ///     query.flatMapLatest { query in Work { try await search(query) } }.catching { _ in [] }
    @inlinable
    public func catching<Success, Failure>(
        @_inheritActorContext _ replace: @escaping @Sendable @isolated(any) (Failure) -> Success
    ) -> Mapper<Self, Success> where Message == Result<Success, Failure> {
        Mapper(self, map: replacingErrors(called(replace)), on: replace.isolation)
    }
}

extension AdHocObservation {
    /// Makes a message of each message, or receives the error that the closure throws. See ``Observable/tryMap(retrying:_:)``.
    @inlinable
    public func tryMap<Mapped>(
        retrying retries: Int = 0,
        @_inheritActorContext _ map: @escaping @Sendable @isolated(any) (Message) throws -> Mapped
    ) -> AdHocObservation<Result<Mapped, any Error>> {
        let mapHere = trying(called(throwing: map), retries)
        return through(formedOn: map.isolation) { mapping(mapHere) }
    }

    /// Receives values, and in the place of an error what a closure makes of it.
    @inlinable
    public func catching<Success, Failure>(
        @_inheritActorContext _ replace: @escaping @Sendable @isolated(any) (Failure) -> Success
    ) -> AdHocObservation<Success> where Message == Result<Success, Failure> {
        let replaceHere = replacingErrors(called(replace))
        return through(formedOn: replace.isolation) { mapping(replaceHere) }
    }
}

@inlinable
func trying<Message, Mapped>(
    _ map: @escaping (Message) throws -> Mapped, _ retries: Int
) -> (Message) -> Result<Mapped, any Error> {
    precondition(retries >= 0, "a closure cannot be called again less than not at all: \(retries)")
    return { message in
        var result = Result { try map(message) }
        for _ in 0..<retries {
            if case .success = result { break }
            result = Result { try map(message) }
        }
        return result
    }
}

@inlinable
func replacingErrors<Success, Failure>(
    _ replace: @escaping (Failure) -> Success
) -> (Result<Success, Failure>) -> Success {
    { result in
        switch result {
        case .success(let value): value
        case .failure(let error): replace(error)
        }
    }
}
