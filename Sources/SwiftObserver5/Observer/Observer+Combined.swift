// SPDX-License-Identifier: MIT

import ObserverEngine

extension Observer {
    /// Observes two observables with one closure. When one of them sends, the latest message of the other is fetched.
    ///
    ///     dog.observe(tv, bowl) { image, food in ... }
    ///
    /// None is kept alive: when one dies, nothing is received any more. The closure is called for one message at a
    /// time, in the order in which they come in.
    public func observe<A: Observable, B: Observable>(
        _ a: A, _ b: B, receive: @escaping (A.Message, B.Message) -> Void
    ) {
        let line = line(receive)
        join(line, a) { [weak b] message in b.map { (message, $0.latestMessage) } }
        join(line, b) { [weak a] message in a.map { ($0.latestMessage, message) } }
    }

    /// Observes three observables with one closure. When one of them sends, the latest messages of the others are
    /// fetched.
    ///
    ///     dog.observe(tv, bowl, doorbell) { image, food, sound in ... }
    public func observe<A: Observable, B: Observable, C: Observable>(
        _ a: A, _ b: B, _ c: C, receive: @escaping (A.Message, B.Message, C.Message) -> Void
    ) {
        let line = line(receive)
        join(line, a) { [weak b, weak c] message in
            guard let b, let c else { return nil }
            return (message, b.latestMessage, c.latestMessage)
        }
        join(line, b) { [weak a, weak c] message in
            guard let a, let c else { return nil }
            return (a.latestMessage, message, c.latestMessage)
        }
        join(line, c) { [weak a, weak b] message in
            guard let a, let b else { return nil }
            return (a.latestMessage, b.latestMessage, message)
        }
    }

    private func line<Messages>(_ receive: @escaping (Messages) -> Void) -> Serializer<Messages, Void> {
        // The observer may die while messages stand in line.
        Serializer { _ in { [weak self] messages, _ in if self != nil { receive(messages) } } }
    }

    private func join<O: Observable, Messages>(
        _ line: Serializer<Messages, Void>, _ observable: O, _ make: @escaping (O.Message) -> Messages?
    ) {
        ObjectKeeper.keep(self) { keeper in
            observable.observationCore.observe(feeding: line.anyCore) { id in
                KeptClosure { message in
                    if let made = make(message) { line.send(made, from: id, author: ()) }
                }.kept(by: keeper)
            }
        }
    }
}
