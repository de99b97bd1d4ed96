// SPDX-License-Identifier: MIT

import ObserverEngine

/// Sends the messages of several observables, as they come in. It holds them all.
public final class Merger<Message>: Observable {
    /// Carries the merged messages to the observers.
    public let messenger = Messenger<Message>()

    /// What is merged.
    public let sources: [any Observable<Message>]

    @usableFromInline let observations: [ObservationID]

    /// Begins to observe several sources.
    @inlinable
    public init(_ sources: [any Observable<Message>]) {
        let target = messenger.core
        self.sources = sources
        observations = sources.map { source in
            source.messenger.observe(.authored { _ = target.send($0, author: $1) })
        }
        messenger.origin = self
    }

    deinit {
        for observation in observations { observation.stop() }
    }
}

extension Merger: Origin {
    @usableFromInline var feeding: [any AnyMessenger] { sources.map { $0.messenger } }
}

/// - Note: `@unchecked`: nothing of a merger changes but what its messenger guards. What it merges is
///   kept, and can only be asked for.
extension Merger: @unchecked Sendable where Message: Sendable {}

extension Observable {
    /// An observable that sends the messages of this one and of others, as they come in.
    ///
    ///     this    1   2
    ///     other     5
    ///     merged  1 5 2
    @inlinable
    public func merge(_ others: any Observable<Message>...) -> Merger<Message> {
        Merger([self] + others)
    }
}
