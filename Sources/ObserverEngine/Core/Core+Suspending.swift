// SPDX-License-Identifier: MIT

import CPlatform
import Synchronization

extension Core {
    /// Makes all messages wait until `resume`, as if one were being delivered. Call this before any can be sent.
    public func suspend() {
        lock()
        _ = tryAcquireLocked()
        unlock()
    }
}
