// SPDX-License-Identifier: MIT

import CPlatform
import Synchronization

// A core can be confined to a thread, its home: no other thread owns it, so no other thread calls its handlers. What
// other threads do in the order of its messages they do at once where nothing waits, and leave to the home thread
// where something does.

extension AnyCore {
    /// Confines deliveries to a thread, by its identity.
    ///
    /// - Returns: False if this is confined already.
    public final func confine(to home: UInt64) -> Bool {
        withLock {
            let sideTable = makeSideTable()
            guard sideTable.pointee.home == 0 else { return false }
            sideTable.pointee.home = home
            return true
        }
    }
}

extension Core {
    /// Whether messages, or actions, wait for the home thread to send again.
    public var isLeftToHome: Bool { withLock { isOffered && isElsewhere } }
}
