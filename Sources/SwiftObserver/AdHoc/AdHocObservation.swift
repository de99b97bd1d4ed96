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

    @inlinable init(begin: @escaping Begin) { self.begin = begin }

    /// Begins the observation.
    @inlinable @discardableResult
    public func receive(_ receive: @escaping (Message) -> Void) -> ObservationHandle {
        begin({ _ in .message(receive) }, ChainEnd())
    }

    /// Begins the observation, with a closure that also takes the author of each message.
    @inlinable @discardableResult
    public func receive(_ receive: @escaping (Message, AnyObject) -> Void) -> ObservationHandle {
        begin({ _ in .authored(receive) }, ChainEnd())
    }

    /// The observation, with a step put in front of its handler.
    @inlinable
    func through<Output>(_ makeStep: @escaping () -> Step<Message, Output>) -> AdHocObservation<Output> {
        AdHocObservation<Output> { [begin] make, end in
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
        authored makeStep: @escaping () -> AuthoredStep<Message, AnyObject, Output>
    ) -> AdHocObservation<Output> {
        AdHocObservation<Output> { [begin] make, end in
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
    public func receive(_ receive: @escaping () -> Void) -> ObservationHandle {
        begin({ _ in .message { _ in receive() } }, ChainEnd())
    }
}

extension Observer {
    /// An observation to transform ad hoc. It begins where the chain ends.
    ///
    ///     dog.observe(bowl).map { $0 == .wasFilled }.receive { bowlWasFilled in ... }
    @inlinable
    public func observe<O: Observable>(
        _ observable: O, isolation: (any Actor)? = #isolation, file: StaticString = #fileID, line: UInt = #line
    ) -> AdHocObservation<O.Message> {
        adHoc(observable, replay: nil, isolation: isolation, file: file, line: line)
    }

    @inlinable
    func adHoc<O: Observable>(
        _ observable: O, replay: Replay<ClosureHandler<O.Message>>?, isolation: (any Actor)?,
        file: StaticString, line: UInt
    ) -> AdHocObservation<O.Message> {
        AdHocObservation { make, end in
            let messenger = observable.messenger
            // What runs on an actor takes in one message at a time.
            let needsSerializer = end.isTransformed && isolation == nil
            return self.begin(
                messenger, replay: replay, isolation: isolation, continuingIn: end.continuation
            ) { id in
                let handler = make(id)
                guard needsSerializer else { return handler }
                let feed = Feed(messenger.core) { serializer in
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
