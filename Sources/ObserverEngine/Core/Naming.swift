// SPDX-License-Identifier: MIT

import CPlatform

extension AnyCore {
    /// Names the observable. The name must have been allocated with `malloc`, and belongs to the core from now on.
    public final func setName(_ new: UnsafeMutablePointer<CChar>?) {
        lock()
        let old = sideTable?.pointee.name
        platform_probe_name(address, new)
        if new != nil || old != nil { makeSideTable().pointee.name = new }
        unlock()
        platform_free(old)
    }

    /// A copy of the name, which the caller frees; `nil` without a name or without memory.
    public final func copyName() -> UnsafeMutablePointer<CChar>? {
        lock()
        defer { unlock() }
        return sideTable?.pointee.name.flatMap { strdup($0) }
    }
}
