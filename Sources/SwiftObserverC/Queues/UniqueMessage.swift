// SPDX-License-Identifier: MIT

import CSwiftObserver

/// A waiting message with one owner, which moves it as it is and clears it once.
struct UniqueMessage {
    /// The message, or an update's new value.
    var value = swo_value()
    /// An update's old value.
    var old = swo_value()
    var isUpdate = false

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

    /// The message in a form that can be shared. Instead of clearing.
    func shared() -> StoredMessage {
        isUpdate
            ? StoredMessage(old: OwnedValue(adopting: old), new: OwnedValue(adopting: value))
            : StoredMessage(OwnedValue(adopting: value))
    }

    /// Calls with the message, which is borrowed.
    func withMessage<Result>(_ body: (UnsafePointer<swo_value>) -> Result) -> Result {
        guard isUpdate else { return withUnsafePointer(to: value, body) }
        let update = swo_update(old_value: old, new_value: value)
        return withUnsafePointer(to: update) { withUnsafePointer(to: swo_update_value($0), body) }
    }

    /// Frees what it owns. Runs foreign code.
    mutating func clear() {
        clearValue(&value)
        clearValue(&old)
    }
}
