// SPDX-License-Identifier: MIT

// What `===`, `!==` and `unsafeDowncast` do, in words that every compiler takes (CONTRIBUTING, "Compilers").

/// Whether both are the same object, or nothing.
@inlinable @inline(__always)
public func isSame<Object: AnyObject>(_ one: Object?, _ other: Object?) -> Bool {
    one.map { Unmanaged.passUnretained($0).toOpaque() } == other.map { Unmanaged.passUnretained($0).toOpaque() }
}

/// The object, which is known to be of that class.
@inlinable @inline(__always)
func known<Object: AnyObject, Known: AnyObject>(_ object: Object, as _: Known.Type) -> Known {
    Unmanaged<Known>.fromOpaque(Unmanaged.passUnretained(object).toOpaque()).takeUnretainedValue()
}
