// SPDX-License-Identifier: MIT

import CPlatform
import Synchronization

extension Core {
    /// Makes all messages wait until `letGo`, as if one were being delivered. Call this before any can be sent.
    public func hold() {
        lock()
        _ = own()
        unlock()
    }
}
