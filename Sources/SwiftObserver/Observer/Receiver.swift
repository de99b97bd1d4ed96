// SPDX-License-Identifier: MIT

import ObserverEngine

/// Keeps the observations of an observer alive. When it dies, which is when its observer dies, they end.
///
///     class Dog: Observer {
///         let receiver = Receiver()
///     }
public final class Receiver: Sendable {
    @usableFromInline let keeper = Keeper()

    /// A receiver without observations.
    public init() {}

    /// Does not leave it to the keeper, which observations that begin later hold, too.
    deinit { keeper.stopAllInLoop() }
}

/// Another name for ``Receiver``.
public typealias Connections = Receiver
