// SPDX-License-Identifier: MIT

import CPlatform
import CSwiftObserver

/// A value that owns what it points at, shared by reference count. It is never an update.
struct OwnedValue {
    /// Valid as long as this is.
    private(set) var borrowed: swo_value
    /// Set where there is something to free.
    let held: Held?

    /// The null value.
    init() { self.init(borrowed: swo_value(), held: nil) }

    init(borrowed: swo_value, held: Held?) {
        self.borrowed = borrowed
        self.held = held
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
        self.init(borrowed: value, held: nil)
    }

    /// Both the value before and the new one point at nothing.
    @inline(__always)
    mutating func replaceNumber(with value: swo_value) { borrowed = value }

    /// Takes over what a value owns.
    init(adopting value: swo_value) {
        self.init(borrowed: value, held: value.owned != 0 ? HeldValue(value) : nil)
    }
}

/// What values point at: it is freed with this.
class Held {
    /// What keeps both.
    static func both(_ one: Held?, _ other: Held?) -> Held? {
        if one == nil, other == nil { return nil }
        guard let one, let other else { return one ?? other }
        return HeldPair(one, other)
    }
}

private final class HeldValue: Held {
    private var value: swo_value
    init(_ value: swo_value) { self.value = value }
    deinit { clearValue(&value) }
}

// Unmanaged, because not every compiler lets a subclass have references (CONTRIBUTING, "Compilers").
private final class HeldPair: Held {
    private let one: Unmanaged<Held>
    private let other: Unmanaged<Held>

    init(_ one: Held, _ other: Held) {
        self.one = .passRetained(one)
        self.other = .passRetained(other)
    }

    deinit {
        one.release()
        other.release()
    }
}
