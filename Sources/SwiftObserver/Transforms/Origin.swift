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
    var hiddenObservations: Int { get }
}

extension Messenger: AnyMessenger {
    @usableFromInline var anyCore: AnyCore { core }
}

extension AnyMessenger {
    /// Whether messages of a core come here, over whatever detours.
    func comes(from other: AnyCore) -> Bool {
        anyCore === other || origin?.feeding.contains { $0.comes(from: other) } == true
    }
}
