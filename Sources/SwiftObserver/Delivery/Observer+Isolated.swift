// SPDX-License-Identifier: MIT

import ObserverEngine

extension Observer {
    /// Begins an observation whose handler runs on an actor.
    ///
    /// - Parameters:
    ///   - make: makes the handler.
    ///   - begin: begins the observation by which messages come in, with what makes its handler. That hands them over
    ///     to the actor, so it continues in an observation there.
    @inlinable
    func begin<Message>(
        on actor: any Actor, continuingIn continuation: ObservationID?,
        _ make: @escaping (ObservationID) -> ClosureHandler<Message>,
        _ begin: (@escaping (ObservationID) -> ClosureHandler<Message>) -> ObservationHandle
    ) -> ObservationHandle {
        let keeper = receiver.keeper
        if let continuation { keeper.keep(continuation) }
        var there: ObservationID!
        let observation = begin { id in
            let handler = make(id), delivery = ActorDelivery(handler, to: actor, continuingIn: continuation)
            there = delivery.mailbox.observation
            keeper.keep(there)
            id.continues(in: there)
            return delivery.taking(handler)
        }
        let parts = observation.parts + [observation.id]
        guard let continuation else { return ObservationHandle(id: there, parts: parts, waitsForParts: true) }
        return ObservationHandle(id: continuation, parts: parts + [there])
    }
}
