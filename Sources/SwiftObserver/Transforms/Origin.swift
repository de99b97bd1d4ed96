// SPDX-License-Identifier: MIT

import ObserverEngine

/// Whoever feeds a messenger with the messages of others.
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
    /// What its living observations are for: to feed a messenger, for an object, or for this itself; `nil` is for others.
    var purposes: [AnyObject?] { get }
}

extension Messenger: AnyMessenger {
    @usableFromInline var anyCore: AnyCore { core }
    @usableFromInline var purposes: [AnyObject?] { core.purposes }
}

extension AnyMessenger {
    /// Whether messages of a core come here, over whatever detours.
    func comes(from other: AnyCore) -> Bool {
        anyCore === other || origin?.feeding.contains { $0.comes(from: other) } == true
    }
}
