// SPDX-License-Identifier: MIT

extension UnsafeMutablePointer where Pointee: ~Copyable {
    @inlinable static func allocate(initializing value: consuming Pointee) -> UnsafeMutablePointer {
        let pointer = UnsafeMutablePointer.allocate(capacity: 1)
        pointer.initialize(to: value)
        return pointer
    }
}
