// SPDX-License-Identifier: MIT

import ObserverEngine

extension Observable {
    /// An observable that sends each message of this one together with the latest one of another.
    ///
    ///     this    1   2     3
    ///     other     5   6
    ///     sent        2     3
    ///                 5     6
    ///
    /// Messages that this sends before the other one has sent are left out.
    @inlinable
    public func withLatestFrom<Other: Observable>(_ other: Other) -> Joined<(Message, Other.Message)> {
        joining(other, nil)
    }

    /// An observable that sends each message of this one together with the latest one of another, which knows it.
    ///
    ///     let saves = saveButton.withLatestFrom(document.new())
    @inlinable
    public func withLatestFrom<Other: BufferedObservable>(_ other: Other) -> Joined<(Message, Other.Message)> {
        joining(other) { [weak other] in other?.latestMessage }
    }

    @inlinable
    func joining<Other: Observable>(
        _ other: Other, _ fetch: (() -> Other.Message?)?
    ) -> Joined<(Message, Other.Message)> {
        // The first is sent at once, and never remembered.
        let latest = LatestPair<Message, Other.Message>({ nil }, fetch)
        return Joined { target in
            JoinedSources(self, other, feeding: target) { message, author in
                if let both = latest.take(message) { _ = target.pass(both, author: author) }
            }
        }
    }

    /// An observable that sends the latest message of this one whenever another one sends, unless it has been sent.
    ///
    ///     this     1 2       3
    ///     sampler      x  x     x
    ///     sent         2        3
    ///
    /// The author is that of the message.
    @inlinable
    public func sample(by sampler: some Observable) -> Joined<Message> {
        Joined { target in
            let latest = LatestPair<(message: Message, author: AnyObject), Never>(nil, nil)
            return JoinedSources(self, sampler, feeding: target) { message, author in
                if case .first(let message) = message {
                    latest.first = (message, author)
                } else if let sample = latest.first {
                    latest.first = nil
                    _ = target.pass(sample.message, author: sample.author)
                }
            }
        }
    }
}
