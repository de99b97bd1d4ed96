// SPDX-License-Identifier: MIT

// What `===` does, in words that every compiler takes (CONTRIBUTING, "Compilers").

/// Whether both are the same object, or nothing.
func isSame<Object: AnyObject>(_ one: Object?, _ other: Object?) -> Bool {
    one.map { Unmanaged.passUnretained($0).toOpaque() } == other.map { Unmanaged.passUnretained($0).toOpaque() }
}
