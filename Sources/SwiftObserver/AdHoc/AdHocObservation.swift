// SPDX-License-Identifier: MIT

import ObserverEngine

/// An observation that has not begun yet, and can still be transformed.
///
///     observer.observe(number).new().filter { $0 > 9 }.receive { print($0) }
///
/// Each operator comes in two variants. One returns the next of these; the other takes, as its last
/// closure, what is to receive the messages, and begins. What an operator remembers from message to
/// message belongs to the observation that begins, not to the chain.
public struct AdHocObservation<Message> {
    @usableFromInline typealias Begin = (_ handler: ClosureHandler<Message>, _ isTransformed: Bool) -> Observation

    @usableFromInline let begin: Begin

    @inlinable init(begin: @escaping Begin) { self.begin = begin }

    /// Begins the observation.
    @inlinable @discardableResult
    public func receive(_ receive: @escaping (Message) -> Void) -> Observation {
        begin(.message(receive), false)
    }

    /// Begins the observation, with a closure that also takes the author of each message.
    @inlinable @discardableResult
    public func receive(_ receive: @escaping (Message, AnyObject) -> Void) -> Observation {
        begin(.authored(receive), false)
    }

    /// The observation, with a step put in front of its handler.
    @inlinable
    func through<Output>(_ makeStep: @escaping () -> Step<Message, Output>) -> AdHocObservation<Output> {
        through(authored: {
            let step = makeStep()
            return { message, _ in step(message) }
        })
    }

    @inlinable
    func through<Output>(
        authored makeStep: @escaping () -> AuthoredStep<Message, AnyObject, Output>
    ) -> AdHocObservation<Output> {
        AdHocObservation<Output> { [begin] handler, _ in
            let step = makeStep()
            return begin(
                .authored { message, author in
                    if let made = step(message, author) { handler.receive(made, author) }
                }, true)
        }
    }
}

extension AdHocObservation where Message == Void {
    /// Begins the observation, with a closure that takes nothing, because there is nothing to say.
    @inlinable @discardableResult
    public func receive(_ receive: @escaping () -> Void) -> Observation {
        begin(.message { _ in receive() }, false)
    }
}

extension Observer {
    /// An observation to transform ad hoc. It begins where the chain ends.
    ///
    ///     dog.observe(bowl).map { $0 == .wasFilled }.receive { bowlWasFilled in ... }
    @inlinable
    public func observe<O: Observable>(_ observable: O) -> AdHocObservation<O.Message> {
        adHoc(observable, replay: nil)
    }

    @inlinable
    func adHoc<O: Observable>(
        _ observable: O, replay: Replay<ClosureHandler<O.Message>>?
    ) -> AdHocObservation<O.Message> {
        AdHocObservation { handler, isTransformed in
            let messenger = observable.messenger
            guard isTransformed else { return self.begin(messenger, handler, replay: replay) }
            let reference = IntakeReference<O.Message>()
            let intake = Intake(
                source: messenger.core,
                handler: ClosureHandler.authored { message, author in
                    // It may have stood in line while the observation was stopped.
                    if reference.intake.isWanted { handler.receive(message, author) }
                })
            reference.intake = intake
            let observation = self.begin(messenger, .authored { intake.receive($0, $1) }, replay: replay)
            intake.serve(observation.id)
            return observation
        }
    }
}

/// Leads a handler to the intake that holds it, and that therefore outlives it.
@usableFromInline
final class IntakeReference<Message> {
    @usableFromInline unowned(unsafe) var intake: Intake<ClosureHandler<Message>>!

    @inlinable init() {}
}
