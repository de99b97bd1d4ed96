// SPDX-License-Identifier: MIT

import ObserverEngine

/// An observable made from another: it sends what an operator makes of the messages of its source.
///
///     source: Var<Int?>  --step-->  transform: Transform<Var<Int?>, Int>
///
/// Somebody must hold a transform, as with any observable. It holds its source; the source does not
/// hold it. The author of a message stays who it was. What the operator remembers belongs to the
/// transform, and outlasts a change of source.
public class Transform<Source: Observable, Message>: Observable {
    /// Carries the transformed messages to the observers.
    public let messenger = Messenger<Message>()

    @usableFromInline let intake: SourceIntake<Source, ClosureHandler<Source.Message>>

    @inlinable
    init(_ source: Source, _ step: @escaping Step<Source.Message, Message>) {
        // The intake holds what a message on its way needs, should the transform die meanwhile.
        let target = messenger.core
        intake = Transform.makeIntake(
            source,
            .authored { message, author in
                if let made = step(message) { _ = target.send(made, author: author) }
            })
        beKnown()
    }

    @inlinable
    init(_ source: Source, authored step: @escaping AuthoredStep<Source.Message, AnyObject, Message>) {
        let target = messenger.core
        intake = Transform.makeIntake(
            source,
            .authored { message, author in
                if let made = step(message, author) { _ = target.send(made, author: author) }
            })
        beKnown()
    }

    /// - Parameter makeHandler: says what the messages of the source do to the messenger of the transform.
    @inlinable
    init(_ source: Source, into makeHandler: (Messenger<Message>) -> ClosureHandler<Source.Message>) {
        intake = Transform.makeIntake(source, makeHandler(messenger))
        beKnown()
    }

    deinit { intake.end() }

    /// Lets those find this who look at the source or the messenger: on other threads, too, so it comes last.
    @inlinable
    func beKnown() {
        messenger.origin = self
        beKnownToSource()
    }

    @usableFromInline
    func beKnownToSource() {
        guard let (source, observation) = intake.sourceAndObservation else { return }
        source.messenger.core.say(observation, isFor: messenger)
    }

    /// Without order a source may deliver on several threads: an intake brings its messages into line.
    @inlinable
    static func makeIntake(
        _ source: Source, _ handler: ClosureHandler<Source.Message>
    ) -> SourceIntake<Source, ClosureHandler<Source.Message>> {
        let intake = Intake(source: source.messenger.core, handler: handler)
        return SourceIntake(source, handler, first: handler.takingIn(through: intake)) { $0.messenger.observe($1) }
    }

    /// What is observed by this transform. Setting it sends nothing.
    ///
    /// A transform cannot be its own source, nor that of its source.
    public var source: Source {
        get { intake.source }
        set {
            precondition(!newValue.messenger.comes(from: messenger.core), "a transform cannot come from itself")
            if intake.change(to: newValue) { beKnownToSource() }
        }
    }
}

/// - Note: `@unchecked`: nothing of a transform changes but what its intake and its messenger guard.
extension Transform: @unchecked Sendable where Source: Sendable, Message: Sendable {}

extension Transform: Origin {
    @usableFromInline var feeding: [any AnyMessenger] { [source.messenger] }
}
