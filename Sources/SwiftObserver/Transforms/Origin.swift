// SPDX-License-Identifier: MIT

import ObserverEngine

/// Whoever feeds a messenger with the messages of others.
@usableFromInline
protocol Origin: AnyObject {
    /// Whether messages of a core come here, over whatever detours.
    func comes(from other: AnyCore) -> Bool
}

extension Messenger {
    @usableFromInline
    func comes(from other: AnyCore) -> Bool {
        core === other || origin?.comes(from: other) == true
    }
}
