// SPDX-License-Identifier: MIT

import ObserverEngine

extension Observer {
    /// Begins an observation whose handler runs on an actor.
    @usableFromInline
    func begin<Message>(
        _ messenger: Messenger<Message>, _ handler: ClosureHandler<Message>,
        replay: Replay<ClosureHandler<Message>>?, on actor: any Actor, continuingIn continuation: ObservationID?
    ) -> ObservationHandle {
        let courier = Courier(handler, to: actor, continuingIn: continuation)
        if let continuation { receiver.keeper.keep(continuation) }
        let observation = begin(
            messenger, .authored { courier.carry($0, $1) }, replay: replay, isolation: nil,
            continuingIn: courier.mailbox.observation)
        guard let continuation else { return observation }
        return ObservationHandle(id: continuation, parts: observation.parts + [observation.id])
    }
}
