// SPDX-License-Identifier: MIT

import ObserverEngine

/// An observation that begins on a queue, and can be over before.
///
///     until then:  observable --nothing---\
///     from then:   observable --messages---+--> line --> handler
///
/// A placeholder at the observable makes the observation known until then, and ends it with the observer, or with
/// the observable. Whichever of the two stands there holds this; the queue does not. The line has one name from the
/// beginning, whatever feeds it, and lets go of the handler as soon as it is stopped.
///
/// - Note: `@unchecked Sendable`: `place` is set before the queue learns of this, the line and what has begun guard
///   themselves, and nothing else changes. What the handler and the replay hold is for their author to think of.
final class LateObservation<Message>: @unchecked Sendable {
    typealias Handler = ClosureHandler<Message>

    /// Names the observation, from the beginning to the end.
    let id: ObservationID

    private let line = Core<Handler>()
    /// Where messages wait in front of the handler: its own observation. Otherwise, that of the line.
    private let end: ObservationID
    private let begun = SingleAssignment<ObservationID>()
    private var place: ObservationID?
    private let messenger: WeakReference<Messenger<Message>>
    private let keeper: Keeper
    private let replay: Replay<Handler>?

    /// - Parameter replay: does not keep the observable.
    init(
        of messenger: Messenger<Message>, by keeper: Keeper, replay: Replay<Handler>?,
        continuingIn continuation: ObservationID?, _ make: (ObservationID) -> Handler
    ) {
        self.messenger = WeakReference(messenger)
        self.keeper = keeper
        self.replay = replay
        line.follow { [begun] _ in begun.end()?.finish() }
        id = line.observe(continuingIn: continuation) { id in
            keeper.keep(id)
            return make(id).wanted(while: continuation)
        }
        // The line may be gone before what feeds it is stopped.
        end = continuation ?? id
        begun.begin {
            let place = messenger.core.observe(
                .message { [self] _ in withExtendedLifetime(self) {} }, continuingIn: end)
            keeper.keep(place)
            self.place = place
            return place
        }?.finish()
    }

    deinit { line.close() }

    /// Begins, unless it is over, or a queue runs the job again.
    func begin() {
        guard let messenger = messenger.object, place?.isLiving == true else { return }
        begun.begin { begin(messenger) }?.finish()
        place?.finish()
    }

    private func begin(_ messenger: Messenger<Message>) -> ObservationID {
        let handler = Handler.authored { [self] message, author in _ = line.send(message, author: author) }
        return messenger.observe(continuingIn: end, replaying: replay) { [keeper] id in
            keeper.keep(id)
            return handler
        }
    }
}

extension ClosureHandler {
    /// The same handler, called as long as its messages can go on in an observation. They may have stood in line while
    /// that was stopped.
    fileprivate func wanted(while continuation: ObservationID?) -> ClosureHandler {
        guard let continuation else { return self }
        return .authored { message, author in if continuation.isLiving { receive(message, author) } }
    }
}
