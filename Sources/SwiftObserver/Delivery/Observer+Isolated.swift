// SPDX-License-Identifier: MIT

import ObserverEngine

extension Observer {
    /// Begins an observation whose handler runs on an actor.
    @usableFromInline
    func begin<Message>(
        _ messenger: Messenger<Message>, _ handler: ClosureHandler<Message>,
        replay: Replay<ClosureHandler<Message>>?, on actor: any Actor, continuingIn continuation: ObservationID?
    ) -> ObservationHandle {
        begin(handler, on: actor, continuingIn: continuation) { handler, courier in
            begin(messenger, handler, replay: replay, isolation: nil, continuingIn: courier)
        }
    }

    /// - Parameter begin: begins an observation with a handler that hands over to a courier, and that continues in
    ///   the courier's own.
    func begin<Message>(
        _ handler: ClosureHandler<Message>, on actor: any Actor, continuingIn continuation: ObservationID?,
        _ begin: (ClosureHandler<Message>, ObservationID) -> ObservationHandle
    ) -> ObservationHandle {
        let courier = Courier(handler, to: actor, continuingIn: continuation)
        if let continuation { receiver.keeper.keep(continuation) }
        let observation = begin(.authored { courier.carry($0, $1) }, courier.mailbox.observation)
        guard let continuation else { return observation }
        return ObservationHandle(id: continuation, parts: observation.parts + [observation.id])
    }
}
