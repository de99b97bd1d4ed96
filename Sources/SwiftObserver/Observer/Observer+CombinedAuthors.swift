// SPDX-License-Identifier: MIT

// Written out, because nothing can follow a pack of unnamed arguments.

extension Observer {
    /// Observes several observables with one closure, which also takes the author of the message that came in.
    ///
    ///     dog.observe(tv, bowl) { image, food, author in ... }
    @inlinable @discardableResult
    public func observe<First: BufferedObservable, Second: BufferedObservable>(
        _ first: First, _ second: Second,
        isolation: isolated (any Actor)? = #isolation, file: StaticString = #fileID, line: UInt = #line,
        @_inheritActorContext receive:
            @escaping @Sendable @isolated(any) (First.Message, Second.Message, AnyObject) -> Void
    ) -> ObservationHandle {
        let first = CombinedPart(first), second = CombinedPart(second)
        let handle = called(receive)
        return begin(combining: [first, second], isolation: receive.isolation ?? isolation, file, line) {
            sent, author in
            try handle(first.latest(sent), second.latest(sent), author)
        }
    }

    /// Observes several observables with one closure, which also takes the author of the message that came in.
    @inlinable @discardableResult
    public func observe<First: BufferedObservable, Second: BufferedObservable, Third: BufferedObservable>(
        _ first: First, _ second: Second, _ third: Third,
        isolation: isolated (any Actor)? = #isolation, file: StaticString = #fileID, line: UInt = #line,
        @_inheritActorContext receive:
            @escaping @Sendable @isolated(any) (First.Message, Second.Message, Third.Message, AnyObject) -> Void
    ) -> ObservationHandle {
        let first = CombinedPart(first), second = CombinedPart(second), third = CombinedPart(third)
        let handle = calledWithAny(receive)
        return begin(combining: [first, second, third], isolation: receive.isolation ?? isolation, file, line) {
            sent, author in
            try handle(first.latest(sent), second.latest(sent), third.latest(sent), author)
        }
    }

    /// Observes several observables with one closure, which also takes the author of the message that came in.
    @inlinable @discardableResult
    public func observe<
        First: BufferedObservable, Second: BufferedObservable, Third: BufferedObservable,
        Fourth: BufferedObservable
    >(
        _ first: First, _ second: Second, _ third: Third, _ fourth: Fourth,
        isolation: isolated (any Actor)? = #isolation, file: StaticString = #fileID, line: UInt = #line,
        @_inheritActorContext receive:
            @escaping @Sendable @isolated(any) (First.Message, Second.Message, Third.Message, Fourth.Message, AnyObject)
            -> Void
    ) -> ObservationHandle {
        let first = CombinedPart(first),
            second = CombinedPart(second),
            third = CombinedPart(third),
            fourth = CombinedPart(fourth)
        let handle = calledWithAny(receive)
        return begin(combining: [first, second, third, fourth], isolation: receive.isolation ?? isolation, file, line) {
            sent, author in
            try handle(first.latest(sent), second.latest(sent), third.latest(sent), fourth.latest(sent), author)
        }
    }

    /// Observes several observables with one closure, which also takes the author of the message that came in.
    @inlinable @discardableResult
    public func observe<
        First: BufferedObservable, Second: BufferedObservable, Third: BufferedObservable,
        Fourth: BufferedObservable, Fifth: BufferedObservable
    >(
        _ first: First, _ second: Second, _ third: Third, _ fourth: Fourth, _ fifth: Fifth,
        isolation: isolated (any Actor)? = #isolation, file: StaticString = #fileID, line: UInt = #line,
        @_inheritActorContext receive:
            @escaping @Sendable @isolated(any) (
                First.Message, Second.Message, Third.Message, Fourth.Message, Fifth.Message, AnyObject
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
            sent, author in
            try handle(
                first.latest(sent), second.latest(sent), third.latest(sent), fourth.latest(sent), fifth.latest(sent),
                author)
        }
    }
}
