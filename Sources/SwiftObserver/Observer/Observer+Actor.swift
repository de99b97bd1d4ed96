// SPDX-License-Identifier: MIT

// An actor that observes. Its closures stay with it, so they are taken as they are: one that says where it belongs keeps the
// actor, and the compiler miscounts (`IsolatedClosures`).

extension Observer where Self: Actor {
    /// Calls a closure of this actor for each message of an observable: at once if the sender is on the actor, otherwise later.
    ///
    ///     observe(sensors) { [unowned self] measurement in enter(measurement) }
    @inlinable @discardableResult
    public nonisolated func observe<O: Observable>(
        _ observable: O, isolation: any Actor = #isolation, file: StaticString = #fileID, line: UInt = #line,
        receive: @escaping (O.Message) -> Void
    ) -> ObservationHandle {
        begin(observable, .message(receive), isolation: isolation, file, line)
    }

    /// Calls a closure of this actor for each message of an observable, with the message's author.
    @inlinable @discardableResult
    public nonisolated func observe<O: Observable>(
        _ observable: O, isolation: any Actor = #isolation, file: StaticString = #fileID, line: UInt = #line,
        receive: @escaping (O.Message, AnyObject) -> Void
    ) -> ObservationHandle {
        begin(observable, .authored(receive), isolation: isolation, file, line)
    }

    /// Calls a closure of this actor whenever an observable of `Void` sends.
    @inlinable @discardableResult
    public nonisolated func observe<O: Observable>(
        _ observable: O, isolation: any Actor = #isolation, file: StaticString = #fileID, line: UInt = #line,
        receive: @escaping () -> Void
    ) -> ObservationHandle where O.Message == Void {
        begin(observable, .message { _ in receive() }, isolation: isolation, file, line)
    }

    /// Calls a closure of this actor for each message of a buffered observable, beginning with the latest one.
    @inlinable @discardableResult
    public nonisolated func observe<O: BufferedObservable>(
        _ observable: O, replaying replay: BufferReplay, isolation: any Actor = #isolation,
        file: StaticString = #fileID, line: UInt = #line, receive: @escaping (O.Message) -> Void
    ) -> ObservationHandle {
        replaying(observable, replay, isolation: isolation, file, line).begin({ _ in .message(receive) }, ChainEnd())
    }

    /// Calls a closure of this actor for each message of a buffered observable and its author, beginning with the latest
    /// message.
    @inlinable @discardableResult
    public nonisolated func observe<O: BufferedObservable>(
        _ observable: O, replaying replay: BufferReplay, isolation: any Actor = #isolation,
        file: StaticString = #fileID, line: UInt = #line, receive: @escaping (O.Message, AnyObject) -> Void
    ) -> ObservationHandle {
        replaying(observable, replay, isolation: isolation, file, line).begin({ _ in .authored(receive) }, ChainEnd())
    }

    /// An observation to transform ad hoc. It begins where the chain ends.
    @inlinable
    public nonisolated func observe<O: Observable>(
        _ observable: O, isolation: any Actor = #isolation, file: StaticString = #fileID, line: UInt = #line
    ) -> ActorObservation<O.Message> {
        ActorObservation(adHoc(observable, replay: nil, isolation: isolation, file: file, line: line))
    }

    /// An observation to transform ad hoc. Its first message is the latest one of the observable.
    @inlinable
    public nonisolated func observe<O: BufferedObservable>(
        _ observable: O, replaying replay: BufferReplay, isolation: any Actor = #isolation,
        file: StaticString = #fileID, line: UInt = #line
    ) -> ActorObservation<O.Message> {
        ActorObservation(replaying(observable, replay, isolation: isolation, file, line))
    }

    /// Observes several observables with one closure of this actor.
    @inlinable @discardableResult
    public nonisolated func observe<
        First: BufferedObservable, Second: BufferedObservable, each Other: BufferedObservable
    >(
        _ first: First, _ second: Second, _ other: repeat each Other, isolation: any Actor = #isolation,
        file: StaticString = #fileID, line: UInt = #line,
        receive: @escaping (First.Message, Second.Message, repeat (each Other).Message) -> Void
    ) -> ObservationHandle {
        let first = CombinedPart(first), second = CombinedPart(second)
        let other = (repeat CombinedPart(each other))
        var parts: [any AnyCombinedPart] = [first, second]
        repeat parts.append(each other)
        return begin(combining: parts, isolation: isolation, file, line) { sent, _ in
            try receive(first.latest(sent), second.latest(sent), repeat (each other).latest(sent))
        }
    }
}
