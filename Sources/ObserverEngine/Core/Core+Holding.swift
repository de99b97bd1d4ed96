// SPDX-License-Identifier: MIT

import CPlatform
import Synchronization

extension Core {
    /// Makes all messages wait until `letGo`, as if one were being delivered. Call this before anybody observes.
    public func hold() {
        lock()
        _ = own()
        unlock()
    }

    /// Delivers what has waited.
    public func letGo() {
        owner.store(platform_thread(), ordering: .relaxed)
        _ = leaveSlowly()
    }
}
