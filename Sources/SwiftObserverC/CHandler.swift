// SPDX-License-Identifier: MIT

import CSwiftObserver
import ObserverEngine

/// A handler written in C: a function with its context. The engine calls it with nothing in between.
struct CHandler: MessageHandler {
    let function: swo_handler
    let context: UnsafeMutableRawPointer?

    static var inert: CHandler { CHandler(function: { _, _, _ in }, context: nil) }

    @inline(__always)
    func receive(_ message: UnsafePointer<swo_value>, _ author: UnsafeRawPointer?) {
        function(context, message, author)
    }

    func end(_ destroy: Destroy?) { destroy?(context) }

    static func copy(_ message: UnsafePointer<swo_value>) -> WaitingMessage? { WaitingMessage(copying: message) }

    static func withMessage(_ waiting: borrowing WaitingMessage, _ body: (UnsafePointer<swo_value>) -> Void) {
        waiting.withValue(body)
    }
}

/// A message that waits in a queue. Numbers allocate nothing.
///
/// A struct, although an enum would say it better: its copies are cheaper.
struct WaitingMessage {
    /// The message, or an update's new value.
    private let value: OwnedValue
    /// An update's old value.
    private let old: OwnedValue
    private let isUpdate: Bool

    /// Null.
    init() {
        value = OwnedValue()
        old = OwnedValue()
        isUpdate = false
    }

    init(_ value: OwnedValue) {
        self.value = value
        old = OwnedValue()
        isUpdate = false
    }

    init(old: OwnedValue, new: OwnedValue) {
        self.old = old
        value = new
        isUpdate = true
    }

    /// `nil` if there is no memory.
    init?(copying message: UnsafePointer<swo_value>) {
        if message.pointee.kind == SWO_KIND_UPDATE, let update = message.pointee.as.update {
            guard let old = OwnedValue(copying: update.values), let new = OwnedValue(copying: update.values + 1) else {
                return nil
            }
            self.init(old: old, new: new)
        } else {
            guard let value = OwnedValue(copying: message) else { return nil }
            self.init(value)
        }
    }

    func withValue<Result>(_ body: (UnsafePointer<swo_value>) -> Result) -> Result {
        // One call of the body, which the compiler writes out at each.
        withUnsafeTemporaryAllocation(of: swo_update.self, capacity: 1) { update in
            withUnsafePointer(to: borrow(update.baseAddress!), body)
        }
    }

    /// The value before, where this is an update.
    var oldValue: OwnedValue { old }

    /// The message, borrowed for as long as this and `update` last, which is filled if need be.
    func borrow(_ update: UnsafeMutablePointer<swo_update>) -> swo_value {
        guard isUpdate else { return value.borrowed }
        update.initialize(to: swo_update(old_value: old.borrowed, new_value: value.borrowed))
        return swo_update_value(update)
    }
}
