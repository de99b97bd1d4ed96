// SPDX-License-Identifier: MIT

import CSwiftObserver

/// A message that waits in a queue. Numbers allocate nothing.
///
/// A struct, although an enum would say it better: its copies are cheaper.
struct StoredMessage {
    /// The message, or an update's new value, behind an update's old value.
    private let values: swo_update
    /// Keeps what the values point at.
    private let held: Held?

    init(_ value: OwnedValue) {
        values = swo_update(old_value: swo_value.none, new_value: value.borrowed)
        held = value.held
    }

    init(old: OwnedValue, new: OwnedValue) {
        values = swo_update(old_value: old.borrowed, new_value: new.borrowed)
        held = Held.both(old.held, new.held)
    }

    /// `nil` if there is no memory.
    init?(copying message: UnsafePointer<swo_value>) {
        if isNumber(message) {
            self.init(OwnedValue(number: message.pointee))
            return
        }
        guard let copy = UniqueMessage(copying: message) else { return nil }
        self = copy.shared()
    }

    private var isUpdate: Bool { values.old_value.kind >= SWO_KIND_NULL }

    /// The value before, where this is an update.
    var oldValue: OwnedValue { OwnedValue(borrowed: values.old_value, held: held) }

    /// The value, where this is no update.
    var newValue: OwnedValue { OwnedValue(borrowed: values.new_value, held: held) }

    /// Calls with the message, which is borrowed.
    func withValue<Result>(_ body: (UnsafePointer<swo_value>) -> Result) -> Result {
        withUnsafePointer(to: values) { values in
            withUnsafePointer(to: swo_update_value(values)) { update in
                // One call of the body, which the compiler writes out at each.
                body(isUpdate ? update : values.values + 1)
            }
        }
    }

    /// The message, borrowed for as long as this and `update` last, which is filled.
    func borrow(_ update: UnsafeMutablePointer<swo_update>) -> swo_value {
        update.initialize(to: values)
        return isUpdate ? swo_update_value(update) : values.new_value
    }
}

extension swo_value {
    /// In place of an update's old value: there is no update. In place of a message: there is none.
    static var none: swo_value { swo_value(kind: -1, owned: 0, as: swo_null().as) }
}
