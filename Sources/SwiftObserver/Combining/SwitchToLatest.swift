// SPDX-License-Identifier: MIT

import ObserverEngine

/// Sends what those observables send which its source has sent last: one, or so and so many. It holds its source, and those
/// observables.
public final class LatestSwitch<Source: Observable, Chosen: Observable>: Observable {
    /// Carries the messages to the observers.
    public let messenger = Messenger<Chosen.Message>(of: LatestSwitch.self)

    private let source: JoinedSources
    private let switches: Switches<ChosenObservable<Chosen>, ClosureHandler<Chosen.Message>>

    fileprivate init(_ source: Source, atMost most: Int = 1, _ choose: @escaping (Source.Message) -> Chosen?) {
        precondition(most > 0, "at least one observable has to be passed on")
        let target = messenger.core
        target.setDepthUnknown()
        let handler = ClosureHandler<Chosen.Message>.authored { _ = target.pass($0, author: $1) }
        let switches = Switches<ChosenObservable<Chosen>, ClosureHandler<Chosen.Message>>(
            most: most, areSame: { $0.observable === $1.observable }
        ) {
            // Nothing, until there is a choice.
            let link = Switch<ChosenObservable<Chosen>, ClosureHandler<Chosen.Message>>(
                ChosenObservable(nil), core: { $0.messenger.core }, feeding: target,
                observe: { $0.messenger.observe(feeding: target, after: $1, $2) }
            ) { $1.map { handler.fed(by: $0) } ?? handler }
            _ = link.change(to: nil)?()
            return link
        }
        self.switches = switches
        let choosing = JoinedParts { _, message, _ in
            let chosen = choose(Part<Source.Message>.message(message))
            _ = switches.choose(chosen.map { ChosenObservable($0) }) { link, chosen in
                changeWithoutCycle(of: target, to: chosen?.messenger.core) { link.change(to: chosen) }
                return true
            }
        }
        choosing.observe(source, as: Part<Source.Message>(), feeding: target)
        self.source = choosing.sources
        self.source.begin()
        messenger.belongs(to: self)
    }

    deinit {
        messenger.endTransform(of: feeding) { [source, switches] in
            source.end()
            switches.end()
        }
    }

    /// The observable whose messages pass at present; of several the latest choice.
    public var chosen: Chosen? { switches.latest?.observable }
}

extension LatestSwitch: Upstream {
    @usableFromInline var feeding: [any AnyMessenger] { source.feeding }
}

/// - Note: `@unchecked`: nothing of it changes but what its links, its junction and its messenger guard.
extension LatestSwitch: @unchecked Sendable where Source: Sendable, Chosen: Sendable {}

/// Holds what was chosen, or nothing, and knows its messenger.
private final class ChosenObservable<Chosen: Observable> {
    let observable: Chosen?
    let messenger: Messenger<Chosen.Message>

    init(_ observable: Chosen?) {
        self.observable = observable
        messenger = observable?.messenger ?? Messenger()
    }
}

extension Observable {
    /// An observable that sends what that one sends which this has sent last.
    ///
    ///     this    a       b
    ///     of a      1 2     3
    ///     of b    7         8
    ///     sent      1 2     8
    ///
    /// It lets go of the one before, whose messages that are under way still arrive, before the first of the next one.
    /// What comes from it cannot be chosen: that ends the program with a sentence.
    public func switchToLatest() -> LatestSwitch<Self, Message> where Message: Observable {
        LatestSwitch(self) { $0 }
    }

    /// An observable that sends what that one sends which this has sent last, and nothing after `nil`.
    public func switchToLatest<Chosen: Observable>() -> LatestSwitch<Self, Chosen> where Message == Chosen? {
        LatestSwitch(self) { $0 }
    }

    /// An observable that sends what that one sends which a closure has chosen last. See `switchToLatest()`.
    ///
    ///     let results = query.flatMapLatest { query in Work { try await search(query) } }
    ///
    /// It keeps the one that was chosen, and lets go of the one before: a ``Work`` is cancelled.
    public func flatMapLatest<Chosen: Observable>(
        @_inheritActorContext _ choose: @escaping @Sendable @isolated(any) (Message) -> Chosen
    ) -> LatestSwitch<Mapper<Self, Chosen>, Chosen> {
        map(choose).switchToLatest()
    }

    /// An observable that sends what those observables send which a closure has chosen for the latest messages, so and so many.
    ///
    ///     of the last two   a      b        c
    ///     of a                1 2      3       4
    ///     of b              7        8         9
    ///     sent                1 2    8 3       9
    ///
    ///     let heard = opened.flatMap(atMost: 3) { window in window.clicks }
    ///
    /// One that was chosen twice is passed on once, as long as one of its choices is among them. It keeps those that it
    /// passes on, and lets go of others, whose messages that are under way still arrive. With 1 it is `flatMapLatest`.
    ///
    /// - Parameters:
    ///   - most: how many, at least one. Each message takes time for each of them.
    ///   - choose: is called once for each message.
    public func flatMap<Chosen: Observable>(
        atMost most: Int, @_inheritActorContext _ choose: @escaping @Sendable @isolated(any) (Message) -> Chosen
    ) -> LatestSwitch<Mapper<Self, Chosen>, Chosen> {
        LatestSwitch(map(choose), atMost: most) { $0 }
    }
}
