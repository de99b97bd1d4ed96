// SPDX-License-Identifier: MIT

import CSwiftObserverRelay

/// The datatype of a kind. `nil`: such values are not relayed.
func datatype(of kind: Int32) -> Datatype? {
    switch kind {
    case SWO_KIND_BOOL: .boolean
    case SWO_KIND_INT64: .integer
    case SWO_KIND_DOUBLE: .float
    case SWO_KIND_TEXT: .string
    default: nil
    }
}

/// A copy of what C has; of an update the new value. `nil`: a value of this kind is not relayed.
func value(of message: UnsafePointer<swo_value>) -> Value? {
    let content = message.pointee.as
    switch message.pointee.kind {
    case SWO_KIND_NULL: return .null
    case SWO_KIND_BOOL: return .boolean(content.boolean)
    case SWO_KIND_INT64: return .integer(content.int64)
    case SWO_KIND_DOUBLE: return .float(content.float64)
    case SWO_KIND_TEXT:
        return .text(Array(UnsafeRawBufferPointer(start: content.bytes.data, count: content.bytes.size)))
    case SWO_KIND_UPDATE:
        guard let update = content.update else { return nil }
        var new = update.pointee.new_value
        return withUnsafePointer(to: &new) { value(of: $0) }
    default: return nil
    }
}

/// Calls `body` with a value as C has it, which borrows it.
func withCValue(_ value: Value, _ body: (UnsafePointer<swo_value>) -> swo_status) -> swo_status {
    var converted: swo_value
    switch value {
    case .null: converted = swo_null()
    case .boolean(let boolean): converted = swo_bool(boolean)
    case .integer(let integer): converted = swo_int64(integer)
    case .float(let float): converted = swo_double(float)
    case .text(let text):
        return text.withUnsafeBytes { bytes in
            var converted = swo_text_sized(bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count)
            return body(&converted)
        }
    }
    return body(&converted)
}

/// Sets a variable, and returns whether it took the value. What a handler makes of it is the handler's matter.
@discardableResult
func set(_ variable: Held, _ value: Value, author: UnsafeRawPointer?) -> Bool {
    let status = withCValue(value) { swo_variable_set(variable.observable, $0, author) }
    return status == SWO_OK || status == SWO_CALLBACK_FAILED || status == SWO_REFUSED
}

func send(_ messenger: Held, _ value: Value, author: UnsafeRawPointer?) {
    _ = withCValue(value) { swo_send(messenger.observable, $0, author) }
}
