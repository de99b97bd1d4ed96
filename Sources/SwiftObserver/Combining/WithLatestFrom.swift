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
    /// What this sends before the other one is left out.
    public func withLatestFrom<Other: Observable>(_ other: Other) -> Joined<(Message, Other.Message)> {
        joining(other, LatestPart(of: other))
    }

    /// An observable that sends each message of this one together with the latest one of another, which knows it.
    ///
    ///     let saves = saveButton.withLatestFrom(document.new())
    public func withLatestFrom<Other: BufferedObservable>(_ other: Other) -> Joined<(Message, Other.Message)> {
        joining(other, LatestPart(fetchingOf: other))
    }

    private func joining<Other: Observable>(
        _ other: Other, _ latest: LatestPart<Other.Message>
    ) -> Joined<(Message, Other.Message)> {
        Joined { target in
            let own = Part<Message>()
            let sources = JoinedSources { sender, message, author in
                guard sender === own else {
                    latest.take(message)
                    return latest.forget()
                }
                if latest.isPresent {
                    _ = target.pass((Part<Message>.message(message), latest.latest), author: author)
                }
            }
            sources.observe(self, as: own, feeding: target)
            sources.observe(other, as: latest, feeding: target)
            return sources
        }
    }

    /// An observable that sends the latest message of this one whenever another one sends, unless it has been sent.
    ///
    ///     this     1 2       3
    ///     sampler      x  x     x
    ///     sent         2        3
    ///
    /// The author is that of the message.
    public func sample(by sampler: some Observable) -> Joined<Message> {
        Joined { target in
            let own = Part<Message>()
            var latest: (message: Message, author: AnyObject)?
            let sources = JoinedSources { sender, message, author in
                if sender === own {
                    latest = (Part<Message>.message(message), author)
                } else if let sample = latest {
                    latest = nil
                    _ = target.pass(sample.message, author: sample.author)
                }
            }
            sources.observe(self, as: own, feeding: target)
            sources.observe(sampler, as: AnyPart.of(sampler), feeding: target)
            return sources
        }
    }
}

extension AnyPart {
    fileprivate static func of<Source: Observable>(_ source: Source) -> AnyPart { Part<Source.Message>() }
}
