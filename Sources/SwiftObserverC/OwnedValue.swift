// SPDX-License-Identifier: MIT

import CPlatform
import CSwiftObserver

/// A value that owns what it points at, shared by reference count. It is never an update.
struct OwnedValue {
    /// Valid as long as this is.
    let borrowed: swo_value
    /// Set where there is something to free.
    private let holding: Holding?

    /// The null value.
    init() {
        borrowed = swo_value()
        holding = nil
    }

    /// `nil` if there is no memory.
    init?(copying value: UnsafePointer<swo_value>) {
        var copy = swo_value()
        guard copyValue(value, &copy) else { return nil }
        self.init(adopting: copy)
    }

    /// A value that points at nothing.
    @inline(__always)
    init(number value: swo_value) {
        var value = value
        value.owned = 0
        borrowed = value
        holding = nil
    }

    /// Takes over what a value owns.
    init(adopting value: swo_value) {
        borrowed = value
        holding = value.owned != 0 ? Holding(value) : nil
    }

    private final class Holding {
        private var value: swo_value
        init(_ value: swo_value) { self.value = value }
        deinit { clearValue(&value) }
    }
}
