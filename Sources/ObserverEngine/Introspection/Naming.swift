// SPDX-License-Identifier: MIT

import CPlatform

extension AnyCore {
    /// Names the observable. The name must have been allocated with `malloc`, and belongs to the core from now on.
    public final func setName(_ new: UnsafeMutablePointer<CChar>?) {
        lock()
        let old = name
        name = new
        unlock()
        platform_free(old)
    }

    /// A copy of the name, to be freed; `nil` if there is none, or no memory.
    public final func copyName() -> UnsafeMutablePointer<CChar>? {
        lock()
        defer { unlock() }
        return name.flatMap { strdup($0) }
    }
}
