// SPDX-License-Identifier: MIT

import CSwiftObserver
import ObserverEngine
import Synchronization

/// A handler written in C: a function with its context. The engine calls it with nothing in between.
struct CHandler: MessageHandler {
    let function: swo_handler
    let context: UnsafeMutableRawPointer?

    static var tombstone: CHandler { CHandler(function: { _, _, _ in }, context: nil) }

    @inline(__always)
    func receive(_ message: UnsafePointer<swo_value>, _ author: UnsafeRawPointer?) {
        function(context, message, author)
    }

    static func owner(of core: AnyCore) -> UnsafeMutableRawPointer? {
        UnsafeMutableRawPointer(bitPattern: core.client.load(ordering: .relaxed) & ~Client.marks)
    }

    @inline(__always)
    static func address(of author: UnsafeRawPointer?) -> UnsafeRawPointer? { author }

    func end(_ destroy: Destroy?) { destroy?(context) }

    static func copy(_ message: UnsafePointer<swo_value>) -> StoredMessage? { StoredMessage(copying: message) }

    static func withMessage(_ waiting: borrowing StoredMessage, _ body: (UnsafePointer<swo_value>) -> Void) {
        waiting.withValue(body)
    }
}
