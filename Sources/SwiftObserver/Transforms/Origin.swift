// SPDX-License-Identifier: MIT

import ObserverEngine

/// What makes the messages of a messenger of those of others.
@usableFromInline
protocol Origin: AnyObject {
    /// The messengers of those others.
    var feeding: [any AnyMessenger] { get }
}

/// A messenger of whatever messages.
@usableFromInline
protocol AnyMessenger: AnyObject {
    var anyCore: AnyCore { get }
    var origin: (any Origin)? { get }
}

extension Messenger: AnyMessenger {
    @usableFromInline var anyCore: AnyCore { core }
}
