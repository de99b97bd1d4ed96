// SPDX-License-Identifier: MIT

import CPlatform
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

    var identity: (UInt, UInt) {
        let known = AttendedHandler.target(of: self) ?? self
        return (unsafeBitCast(known.function, to: UInt.self), UInt(bitPattern: known.context))
    }

    static func owner(of core: AnyCore) -> UnsafeMutableRawPointer? {
        UnsafeMutableRawPointer(bitPattern: core.client.load(ordering: .relaxed) & ~Client.marks)
    }

    @inline(__always)
    static func address(of author: UnsafeRawPointer?) -> UnsafeRawPointer? { author }

    static func changed(_ core: AnyCore, _ name: UnsafePointer<CChar>?) {
        swo_changed(OpaquePointer(core.address), name)
    }

    static func tell(_ cause: OpaquePointer?, _ message: UnsafePointer<swo_value>) {
        guard message.pointee.kind == SWO_KIND_UPDATE, let update = message.pointee.as.update else {
            return platform_cause_tell_message(cause, inWords(message.pointee))
        }
        platform_cause_tell(cause, inWords(update.pointee.old_value), inWords(update.pointee.new_value))
    }

    /// A value in words, in memory of `malloc`.
    static func inWords(_ value: swo_value) -> UnsafeMutablePointer<CChar>? {
        switch value.kind {
        case SWO_KIND_BOOL: return strdup(text(value.as.boolean ? "true" : "false"))
        case SWO_KIND_INT64: return platform_text_int(value.as.int64)
        case SWO_KIND_DOUBLE: return platform_text_double(value.as.float64)
        case SWO_KIND_TEXT: return platform_text_bytes(value.as.bytes.data, value.as.bytes.size, true)
        case SWO_KIND_BYTES: return platform_text_bytes(value.as.bytes.data, value.as.bytes.size, false)
        case SWO_KIND_OBJECT:
            return inspected(value.as.object.pointer) ?? platform_text_pointer(value.as.object.pointer)
        case SWO_KIND_UPDATE: return strdup(text("an update"))
        case SWO_KIND_LIST: return inWords(value.as.list.values, value.as.list.count)
        default: return strdup(text("null"))
        }
    }

    /// As many values of a list as are looked at.
    private static func inWords(_ values: UnsafePointer<swo_value>?, _ all: Int) -> UnsafeMutablePointer<CChar>? {
        let count = min(all, 16)
        return withUnsafeTemporaryAllocation(of: UnsafeMutablePointer<CChar>?.self, capacity: count + 1) { words in
            for index in 0..<count { words[index] = inWords(values![index]) }
            return platform_text_list(words.baseAddress, count, all > count)
        }
    }

    func end(_ destroy: Destroy?) { if let destroy { platform_end(destroy, context) } }

    static func copy(_ message: UnsafePointer<swo_value>) -> StoredMessage? { StoredMessage(copying: message) }

    static func withMessage(_ waiting: borrowing StoredMessage, _ body: (UnsafePointer<swo_value>) -> Void) {
        waiting.withValue(body)
    }
}
