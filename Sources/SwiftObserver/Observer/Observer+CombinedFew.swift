// SPDX-License-Identifier: MIT

// Written out, because the compiler loses an inherited actor behind a pack.

extension Observer {
    /// Observes several observables with one closure. When one of them sends, the latest messages of the others are fetched.
    ///
    ///     dog.observe(tv, bowl, doorbell) { image, food, sound in ... }
    ///
    /// All must be buffered. None is kept alive: when one dies, nothing is received any more. The closure is called for one
    /// message at a time, in the order in which they come in. Where it was formed on an actor, the messages are fetched
    /// there.
    ///
    /// Any number can be observed, and up to five by a closure that also takes the author of the message that came in.
    @inlinable @discardableResult
    public func observe<First: BufferedObservable, Second: BufferedObservable>(
        _ first: First, _ second: Second,
        isolation: isolated (any Actor)? = #isolation, file: StaticString = #fileID, line: UInt = #line,
        @_inheritActorContext receive: @escaping @Sendable @isolated(any) (First.Message, Second.Message) -> Void
    ) -> ObservationHandle {
        let first = CombinedPart(first), second = CombinedPart(second)
        let handle = called(receive)
        return begin(combining: [first, second], isolation: receive.isolation ?? isolation, file, line) {
            sent, _ in
            try handle(first.latest(sent), second.latest(sent))
        }
    }

    /// Observes several observables with one closure. When one of them sends, the latest messages of the others are fetched.
    @inlinable @discardableResult
    public func observe<First: BufferedObservable, Second: BufferedObservable, Third: BufferedObservable>(
        _ first: First, _ second: Second, _ third: Third,
        isolation: isolated (any Actor)? = #isolation, file: StaticString = #fileID, line: UInt = #line,
        @_inheritActorContext receive:
            @escaping @Sendable @isolated(any) (First.Message, Second.Message, Third.Message) -> Void
    ) -> ObservationHandle {
        let first = CombinedPart(first), second = CombinedPart(second), third = CombinedPart(third)
        let handle = called(receive)
        return begin(combining: [first, second, third], isolation: receive.isolation ?? isolation, file, line) {
            sent, _ in
            try handle(first.latest(sent), second.latest(sent), third.latest(sent))
        }
    }

    /// Observes several observables with one closure. When one of them sends, the latest messages of the others are fetched.
    @inlinable @discardableResult
    public func observe<
        First: BufferedObservable, Second: BufferedObservable, Third: BufferedObservable,
        Fourth: BufferedObservable
    >(
        _ first: First, _ second: Second, _ third: Third, _ fourth: Fourth,
        isolation: isolated (any Actor)? = #isolation, file: StaticString = #fileID, line: UInt = #line,
        @_inheritActorContext receive:
            @escaping @Sendable @isolated(any) (First.Message, Second.Message, Third.Message, Fourth.Message) -> Void
    ) -> ObservationHandle {
        let first = CombinedPart(first),
            second = CombinedPart(second),
            third = CombinedPart(third),
            fourth = CombinedPart(fourth)
        let handle = calledWithAny(receive)
        return begin(combining: [first, second, third, fourth], isolation: receive.isolation ?? isolation, file, line) {
            sent, _ in
            try handle(first.latest(sent), second.latest(sent), third.latest(sent), fourth.latest(sent))
        }
    }

    /// Observes several observables with one closure. When one of them sends, the latest messages of the others are fetched.
    @inlinable @discardableResult
    public func observe<
        First: BufferedObservable, Second: BufferedObservable, Third: BufferedObservable,
        Fourth: BufferedObservable, Fifth: BufferedObservable
    >(
        _ first: First, _ second: Second, _ third: Third, _ fourth: Fourth, _ fifth: Fifth,
        isolation: isolated (any Actor)? = #isolation, file: StaticString = #fileID, line: UInt = #line,
        @_inheritActorContext receive:
            @escaping @Sendable @isolated(any) (
                First.Message, Second.Message, Third.Message, Fourth.Message, Fifth.Message
            ) -> Void
    ) -> ObservationHandle {
        let first = CombinedPart(first),
            second = CombinedPart(second),
            third = CombinedPart(third),
            fourth = CombinedPart(fourth),
            fifth = CombinedPart(fifth)
        let handle = calledWithAny(receive)
        return begin(
            combining: [first, second, third, fourth, fifth], isolation: receive.isolation ?? isolation, file, line
        ) {
            sent, _ in
            try handle(
                first.latest(sent), second.latest(sent), third.latest(sent), fourth.latest(sent), fifth.latest(sent))
        }
    }
}
