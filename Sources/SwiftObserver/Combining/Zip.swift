// SPDX-License-Identifier: MIT

import ObserverEngine

/// An observable that sends the first messages of several others together, then the second ones, and so on.
///
///     one     1 2     3
///     other       5      6
///     zipped      1      2
///                 5      6
///
/// The author is that of the message that came last. What has no partners yet is kept, without a bound.
public func zip<First: Observable, Second: Observable, each Other: Observable>(
    _ first: First, _ second: Second, _ other: repeat each Other
) -> Joined<(First.Message, Second.Message, repeat (each Other).Message)> {
    let firstPart = WaitingPart<First.Message>(), secondPart = WaitingPart<Second.Message>()
    return zipping(first, firstPart, second, secondPart, repeat each other, part: repeat WaitingPart(of: each other))
}

/// An observable that sends the first messages of two others together, then the second ones, and so on. See
/// ``zip(_:_:_:)``.
@inlinable
public func zip<First: Observable, Second: Observable>(
    _ first: First, _ second: Second
) -> Joined<(First.Message, Second.Message)> {
    Joined { target in
        let ones = MessageQueue<First.Message, Void>(), others = MessageQueue<Second.Message, Void>()
        return JoinedSources(first, second, feeding: target) { message, author in
            switch message {
            case .first(let message): ones.append(message, ())
            case .second(let message): others.append(message, ())
            }
            guard ones.count > 0, others.count > 0, let one = ones.popFirst(), let other = others.popFirst() else {
                return
            }
            _ = target.pass((one.message, other.message), author: author)
        }
    }
}

private func zipping<First: Observable, Second: Observable, each Other: Observable>(
    _ first: First, _ firstPart: WaitingPart<First.Message>, _ second: Second,
    _ secondPart: WaitingPart<Second.Message>, _ other: repeat each Other,
    part: repeat WaitingPart<(each Other).Message>
) -> Joined<(First.Message, Second.Message, repeat (each Other).Message)> {
    Joined { target in
        let joined = JoinedParts { sender, message, author in
            sender.take(message)
            var isComplete = firstPart.hasWaiting && secondPart.hasWaiting
            for one in repeat each part { isComplete = one.hasWaiting && isComplete }
            guard isComplete else { return }
            let message = (firstPart.popFirst(), secondPart.popFirst(), repeat (each part).popFirst())
            _ = target.pass(message, author: author)
        }
        joined.observe(first, as: firstPart, feeding: target)
        joined.observe(second, as: secondPart, feeding: target)
        repeat joined.observe(each other, as: each part, feeding: target)
        return joined.sources
    }
}

extension Observable {
    /// An observable that sends the first messages of this one and of others together, then the second ones, and so on. See
    /// ``zip(_:_:_:)``.
    public func zipped<Second: Observable, each Other: Observable>(
        with second: Second, _ other: repeat each Other
    ) -> Joined<(Message, Second.Message, repeat (each Other).Message)> {
        zip(self, second, repeat each other)
    }
}

/// A source whose messages wait for those of others.
private final class WaitingPart<Message>: Part<Message> {
    private let waiting = MessageQueue<Message, Void>()

    override init() {}
    convenience init<Source: Observable>(of _: Source) where Source.Message == Message { self.init() }

    var hasWaiting: Bool { waiting.count > 0 }
    override func take(_ message: UnsafeRawPointer) { waiting.append(Part<Message>.message(message), ()) }
    func popFirst() -> Message { waiting.popFirst()!.message }
}
