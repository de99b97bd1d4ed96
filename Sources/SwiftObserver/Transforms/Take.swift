// SPDX-License-Identifier: MIT

import ObserverEngine

extension Observable {
    /// An observable that sends the first messages of this one and no others.
    ///
    ///     sent             1 2 3 4
    ///     passed, take(2)  1 2
    @inlinable
    public func take(_ count: Int) -> Transform<Self, Message> {
        Transform(self, taking(count))
    }

    /// An observable that sends one message of this one: the next.
    @inlinable
    public func once() -> Transform<Self, Message> {
        take(1)
    }
}

extension AdHocObservation {
    /// Receives the first messages and no others. The observation ends just before the last is received.
    ///
    ///     sent               1 2 3 4
    ///     received, take(2)  1 2
    @inlinable
    public func take(_ count: Int) -> AdHocObservation<Message> {
        precondition(count >= 0, "no negative number of messages can be taken")
        return AdHocObservation(on: actor) { [begin] make, end in
            let observation = begin(
                { id in
                    let handler = make(id)
                    let isTaken: Step<Message, Message> = taking(count)
                    var remaining = count
                    return .authored { message, author in
                        guard isTaken(message) != nil else { return }
                        remaining -= 1
                        guard remaining == 0 else { return handler.receive(message, author) }
                        end.finish(id) { handler.receive(message, author) }
                    }
                }, end.transformed)
            if count == 0 { observation.finish() }
            return observation
        }
    }

    /// Receives one message: the next. The observation ends just before.
    @inlinable
    public func once() -> AdHocObservation<Message> {
        take(1)
    }
}
