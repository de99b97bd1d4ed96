// SPDX-License-Identifier: MIT

import Synchronization

/// A lock that the threads of a language's runtime hold while they send, such as that of an interpreter.
public struct RuntimeLock {
    /// Whether this thread holds it.
    let isHeld: @convention(c) () -> Int32
    /// Lets go of it, and returns what takes it again.
    let release: @convention(c) () -> UnsafeMutableRawPointer?
    let acquire: @convention(c) (UnsafeMutableRawPointer?) -> Void
    /// The one set before, so that tools that look for leaks find it.
    private let before: UnsafePointer<RuntimeLock>?

    public init(
        isHeld: @escaping @convention(c) () -> Int32, release: @escaping @convention(c) () -> UnsafeMutableRawPointer?,
        acquire: @escaping @convention(c) (UnsafeMutableRawPointer?) -> Void
    ) {
        self.isHeld = isHeld
        self.release = release
        self.acquire = acquire
        before = UnsafePointer(bitPattern: Self.latest.load(ordering: .relaxed))
    }

    /// The lock of this process, if it has one. What was there before is never freed, since a thread may be using it.
    public static var ofProcess: UnsafePointer<RuntimeLock>? {
        get { UnsafePointer(bitPattern: address.load(ordering: .acquiring)) }
        set {
            address.store(UInt(bitPattern: newValue), ordering: .releasing)
            if newValue != nil { latest.store(UInt(bitPattern: newValue), ordering: .relaxed) }
        }
    }

    private static let address = Atomic<UInt>(0)
    /// The last one that was set, also when the process has none any more.
    private static let latest = Atomic<UInt>(0)
}
