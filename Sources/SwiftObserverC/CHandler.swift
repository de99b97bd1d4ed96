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

    static func keep(_ message: UnsafePointer<swo_value>) -> WaitingMessage? { WaitingMessage(copying: message) }

    static func withMessage(_ waiting: borrowing WaitingMessage, _ body: (UnsafePointer<swo_value>) -> Void) {
        waiting.withValue(body)
    }
}

/// A message that waits in a queue. Numbers allocate nothing.
enum WaitingMessage {
    case value(OwnedValue)
    case update(old: OwnedValue, new: OwnedValue)

    /// `nil` if there is no memory.
    init?(copying message: UnsafePointer<swo_value>) {
        guard message.pointee.kind == SWO_KIND_UPDATE, let update = message.pointee.as.update else {
            guard let value = OwnedValue(copying: message) else { return nil }
            self = .value(value)
            return
        }
        guard let old = OwnedValue(copying: update.values), let new = OwnedValue(copying: update.values + 1)
        else { return nil }
        self = .update(old: old, new: new)
    }

    func withValue(_ body: (UnsafePointer<swo_value>) -> Void) {
        switch self {
        case .value(let owned):
            withUnsafePointer(to: owned.borrowed, body)
        case .update(let old, let new):
            withUnsafePointer(to: swo_update(old_value: old.borrowed, new_value: new.borrowed)) { update in
                withUnsafePointer(to: swo_update_value(update), body)
            }
        }
    }
}
