// SPDX-License-Identifier: MIT

import ObserverEngine

/// Makes the messages of a messenger of those of others.
@usableFromInline
protocol Upstream: AnyObject {
    /// The messengers of those others.
    var feeding: [any AnyMessenger] { get }
}

/// A messenger of whatever messages.
@usableFromInline
protocol AnyMessenger: AnyObject {
    var anyCore: AnyCore { get }
    var upstream: (any Upstream)? { get }
}

extension Messenger: AnyMessenger {
    @usableFromInline var anyCore: AnyCore { core }
}
