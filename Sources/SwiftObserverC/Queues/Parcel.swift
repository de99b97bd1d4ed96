// SPDX-License-Identifier: MIT

import CSwiftObserver

/// A message that waits and that nobody shares: it is moved about as it is, and cleared by hand, once.
struct Parcel {
    /// The message, or an update's new value.
    private var value = swo_value()
    /// An update's old value.
    private var old = swo_value()
    private var isUpdate = false

    /// Null, which need not be cleared.
    init() {}

    /// `nil` if there is no memory.
    @inline(__always)
    init?(copying message: UnsafePointer<swo_value>) {
        if message.pointee.kind <= SWO_KIND_DOUBLE {
            value = message.pointee
            value.owned = 0
        } else if !copy(message) {
            return nil
        }
    }

    private mutating func copy(_ message: UnsafePointer<swo_value>) -> Bool {
        guard message.pointee.kind == SWO_KIND_UPDATE, let update = message.pointee.as.update else {
            return copyValue(message, &value)
        }
        isUpdate = true
        guard copyValue(update.values, &old) else { return false }
        if copyValue(update.values + 1, &value) { return true }
        clearValue(&old)
        return false
    }

    /// Calls with the message, which is borrowed from where this is.
    @inline(__always)
    static func withMessage(_ place: UnsafePointer<Parcel>, _ body: (UnsafePointer<swo_value>) -> Void) {
        if place.pointee.isUpdate {
            let update = swo_update(old_value: place.pointee.old, new_value: place.pointee.value)
            withUnsafePointer(to: update) { withUnsafePointer(to: swo_update_value($0), body) }
        } else {
            body(UnsafeRawPointer(place).assumingMemoryBound(to: swo_value.self))
        }
    }

    /// The message in a form that can be shared. Instead of clearing.
    func shared() -> WaitingMessage {
        isUpdate
            ? WaitingMessage(old: OwnedValue(adopting: old), new: OwnedValue(adopting: value))
            : WaitingMessage(OwnedValue(adopting: value))
    }

    /// Frees what it owns. Runs foreign code.
    @inline(__always)
    mutating func clear() {
        if value.owned != 0 { clearValue(&value) }
        if isUpdate, old.owned != 0 { clearValue(&old) }
    }
}
