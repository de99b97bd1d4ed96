// SPDX-License-Identifier: MIT

// Written out, because nothing can follow a pack of unnamed arguments.

extension Observer {
    /// Observes several observables with one closure, which also takes the author of the message that
    /// came in.
    ///
    ///     dog.observe(tv, bowl) { image, food, author in ... }
    @inlinable @discardableResult
    public func observe<First: BufferedObservable, Second: BufferedObservable>(
        _ first: First, _ second: Second, isolation: (any Actor)? = #isolation, file: StaticString = #fileID,
        line: UInt = #line,
        receive: @escaping (First.Message, Second.Message, AnyObject) -> Void
    ) -> ObservationHandle {
        let first = CombinedPart(first), second = CombinedPart(second)
        return begin(combining: [first, second], isolation: isolation, file, line) { sent, author in
            try receive(first.latest(sent), second.latest(sent), author)
        }
    }

    /// Observes several observables with one closure, which also takes the author of the message that
    /// came in.
    @inlinable @discardableResult
    public func observe<First: BufferedObservable, Second: BufferedObservable, Third: BufferedObservable>(
        _ first: First, _ second: Second, _ third: Third, isolation: (any Actor)? = #isolation,
        file: StaticString = #fileID, line: UInt = #line,
        receive: @escaping (First.Message, Second.Message, Third.Message, AnyObject) -> Void
    ) -> ObservationHandle {
        let first = CombinedPart(first), second = CombinedPart(second), third = CombinedPart(third)
        return begin(combining: [first, second, third], isolation: isolation, file, line) { sent, author in
            try receive(first.latest(sent), second.latest(sent), third.latest(sent), author)
        }
    }

    /// Observes several observables with one closure, which also takes the author of the message that
    /// came in.
    @inlinable @discardableResult
    public func observe<
        First: BufferedObservable, Second: BufferedObservable, Third: BufferedObservable,
        Fourth: BufferedObservable
    >(
        _ first: First, _ second: Second, _ third: Third, _ fourth: Fourth, isolation: (any Actor)? = #isolation,
        file: StaticString = #fileID, line: UInt = #line,
        receive: @escaping (First.Message, Second.Message, Third.Message, Fourth.Message, AnyObject) -> Void
    ) -> ObservationHandle {
        let first = CombinedPart(first),
            second = CombinedPart(second),
            third = CombinedPart(third),
            fourth = CombinedPart(fourth)
        return begin(combining: [first, second, third, fourth], isolation: isolation, file, line) { sent, author in
            try receive(
                first.latest(sent), second.latest(sent), third.latest(sent), fourth.latest(sent), author)
        }
    }

    /// Observes several observables with one closure, which also takes the author of the message that
    /// came in.
    @inlinable @discardableResult
    public func observe<
        First: BufferedObservable, Second: BufferedObservable, Third: BufferedObservable,
        Fourth: BufferedObservable, Fifth: BufferedObservable
    >(
        _ first: First, _ second: Second, _ third: Third, _ fourth: Fourth, _ fifth: Fifth,
        isolation: (any Actor)? = #isolation, file: StaticString = #fileID, line: UInt = #line,
        receive:
            @escaping (First.Message, Second.Message, Third.Message, Fourth.Message, Fifth.Message, AnyObject) -> Void
    ) -> ObservationHandle {
        let first = CombinedPart(first),
            second = CombinedPart(second),
            third = CombinedPart(third),
            fourth = CombinedPart(fourth),
            fifth = CombinedPart(fifth)
        return begin(combining: [first, second, third, fourth, fifth], isolation: isolation, file, line) {
            sent, author in
            try receive(
                first.latest(sent), second.latest(sent), third.latest(sent), fourth.latest(sent), fifth.latest(sent),
                author)
        }
    }
}
