// SPDX-License-Identifier: MIT

import ObserverEngine

/// An observation that has not begun yet, and can still be transformed.
///
///     observer.observe(number).new().filter { $0 > 9 }.receive { print($0) }
///
/// Each operator returns the next of these. `map`, `new`, `unwrap`, `filter`, `select` and the filters of authors can
/// also take, as their last closure, what is to receive the messages, and begin. What an operator remembers from message to
/// message belongs to the observation that begins, not to the chain.
public struct AdHocObservation<Message> {
    /// Makes the handler of an observation. When that observation ends, nothing more comes in.
    @usableFromInline typealias Make = (ObservationID) -> ClosureHandler<Message>
    @usableFromInline typealias Begin = (_ make: @escaping Make, _ end: ChainEnd) -> ObservationHandle

    @usableFromInline let begin: Begin
    /// Where the closures of the chain run: on an actor, or wherever a message is sent.
    @usableFromInline let actor: (any Actor)?

    @inlinable init(on actor: (any Actor)?, begin: @escaping Begin) {
        self.actor = actor
        self.begin = begin
    }

    /// Begins the observation.
    @inlinable @discardableResult
    public func receive(
        @_inheritActorContext _ receive: @escaping @Sendable @isolated(any) (Message) -> Void
    ) -> ObservationHandle {
        begin(.message(called(receive)), formedOn: receive.isolation)
    }

    /// Begins the observation, with a closure that also takes the author of each message.
    @inlinable @discardableResult
    public func receive(
        @_inheritActorContext _ receive: @escaping @Sendable @isolated(any) (Message, AnyObject) -> Void
    ) -> ObservationHandle {
        begin(.authored(called(receive)), formedOn: receive.isolation)
    }

    /// Begins the observation, with a handler that was formed on an actor, or on none.
    @inlinable
    func begin(_ handler: ClosureHandler<Message>, formedOn home: (any Actor)?) -> ObservationHandle {
        if let home, home !== actor { return begin(handler, on: home) }
        return begin({ _ in handler }, ChainEnd())
    }

    /// A step runs where the chain does, so its closure has to belong there, or nowhere.
    @inlinable
    func requireHere(_ home: (any Actor)?) {
        precondition(
            home == nil || home === actor,
            "a chain was begun in one place, and a closure of it formed on an actor elsewhere: write both in one place")
    }

    /// The observation, with a step put in front of its handler.
    @inlinable
    func through<Output>(
        formedOn home: (any Actor)? = nil, _ makeStep: @escaping () -> Step<Message, Output>
    ) -> AdHocObservation<Output> {
        requireHere(home)
        return AdHocObservation<Output>(on: actor) { [begin] make, end in
            begin(
                { id in
                    let step = makeStep()
                    // What kind of handler it is, is decided once and not with each message.
                    switch make(id) {
                    case .message(let receive): return .message { if let made = step($0) { receive(made) } }
                    case .authored(let receive): return .authored { if let made = step($0) { receive(made, $1) } }
                    }
                }, end.transformed)
        }
    }

    @inlinable
    func through<Output>(
        authored makeStep: @escaping () -> AuthoredStep<Message, AnyObject, Output>, formedOn home: (any Actor)? = nil
    ) -> AdHocObservation<Output> {
        requireHere(home)
        return AdHocObservation<Output>(on: actor) { [begin] make, end in
            begin(
                { id in
                    let step = makeStep()
                    switch make(id) {
                    case .message(let receive): return .authored { if let made = step($0, $1) { receive(made) } }
                    case .authored(let receive): return .authored { if let made = step($0, $1) { receive(made, $1) } }
                    }
                }, end.transformed)
        }
    }
}

extension AdHocObservation where Message == Void {
    /// Begins the observation, with a closure that takes nothing, because there is nothing to say.
    @inlinable @discardableResult
    public func receive(@_inheritActorContext _ receive: @escaping @Sendable @isolated(any) () -> Void)
        -> ObservationHandle
    {
        let handle = called(receive)
        return begin(.message { _ in handle() }, formedOn: receive.isolation)
    }
}

extension Observer {
    /// An observation to transform ad hoc. It begins where the chain ends.
    ///
    ///     dog.observe(bowl).map { $0 == .wasFilled }.receive { bowlWasFilled in ... }
    @inlinable
    public func observe<O: Observable>(
        _ observable: O, isolation: isolated (any Actor)? = #isolation, file: StaticString = #fileID, line: UInt = #line
    ) -> AdHocObservation<O.Message> {
        adHoc(observable, replay: nil, isolation: isolation, file: file, line: line)
    }

    @inlinable
    func adHoc<O: Observable>(
        _ observable: O, replay: Replay<ClosureHandler<O.Message>>?, isolation: (any Actor)?,
        file: StaticString, line: UInt
    ) -> AdHocObservation<O.Message> {
        AdHocObservation(on: isolation) { make, end in
            let messenger = observable.messenger
            // What runs on an actor takes in one message at a time.
            let needsSerializer = end.isTransformed && isolation == nil
            return self.begin(
                messenger, replay: replay, isolation: isolation, continuingIn: end.continuation
            ) { id in
                let handler = make(id)
                guard needsSerializer else { return handler }
                let feed = SourceSubscription(messenger.core) { serializer in
                    serializer.observe(
                        .authored { message, author in
                            // It may have stood in line while the observation was stopped.
                            if id.isLiving { handler.receive(message, author) }
                        })
                }
                return handler.fed(by: feed)
            }.began(observing: observable, by: self, file, line)
        }
    }
}
