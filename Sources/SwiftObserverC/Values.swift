// SPDX-License-Identifier: MIT

import CPlatform
import CSwiftObserver

@_cdecl("swo_value_check")
public func swo_value_check(_ value: UnsafePointer<swo_value>?) -> swo_status {
    guard let value else { return SWO_INVALID_ARGUMENT }
    return checkValue(value)
}

@_cdecl("swo_value_equal")
public func swo_value_equal(
    _ one: UnsafePointer<swo_value>?, _ other: UnsafePointer<swo_value>?, _ out: UnsafeMutablePointer<Bool>?
) -> swo_status {
    guard let one, let other, let out else { return SWO_INVALID_ARGUMENT }
    let first = checkValue(one)
    guard first == SWO_OK else { return first }
    let second = checkValue(other)
    guard second == SWO_OK else { return second }
    out.pointee = equalValues(one, other)
    return SWO_OK
}

@_cdecl("swo_value_copy")
public func swo_value_copy(_ value: UnsafePointer<swo_value>?, _ out: UnsafeMutablePointer<swo_value>?) -> swo_status {
    guard let value, let out else { return SWO_INVALID_ARGUMENT }
    let status = checkValue(value)
    guard status == SWO_OK else { return status }
    var copy = swo_value()
    guard copyValue(value, &copy) else { return SWO_NO_MEMORY }
    out.pointee = copy
    return SWO_OK
}

@_cdecl("swo_value_clear")
public func swo_value_clear(_ value: UnsafeMutablePointer<swo_value>?) {
    if let value { clearValue(value) }
}

/// Whether a value that came from outside is well formed.
@inline(__always)
func checkValue(_ value: UnsafePointer<swo_value>, updates: Bool = true) -> swo_status {
    isNumber(value) ? SWO_OK : checkPointers(value, updates)
}

/// Whether a value is null, a truth value or a number, which point at nothing.
@inline(__always)
func isNumber(_ value: UnsafePointer<swo_value>) -> Bool {
    value.pointee.kind >= SWO_KIND_NULL && value.pointee.kind <= SWO_KIND_DOUBLE
}

/// The kinds that point at something.
private func checkPointers(
    _ value: UnsafePointer<swo_value>, _ updates: Bool, lists depth: Int = deepestList
) -> swo_status {
    switch value.pointee.kind {
    case SWO_KIND_TEXT, SWO_KIND_BYTES:
        let bytes = value.pointee.as.bytes
        // A size_t beyond PTRDIFF_MAX arrives as a negative Int.
        guard bytes.size >= 0, bytes.size == 0 || bytes.data != nil else { return SWO_INVALID_ARGUMENT }
        let text = UnsafeRawBufferPointer(start: bytes.data, count: bytes.size)
        return value.pointee.kind == SWO_KIND_BYTES || isUTF8(text) ? SWO_OK : SWO_INVALID_TEXT
    case SWO_KIND_OBJECT:
        guard let type = value.pointee.as.object.type else { return SWO_INVALID_ARGUMENT }
        return type.pointee.size >= MemoryLayout<swo_object_type>.size ? SWO_OK : SWO_INVALID_ARGUMENT
    case SWO_KIND_UPDATE where updates:
        guard let update = value.pointee.as.update else { return SWO_INVALID_ARGUMENT }
        let old = checkAny(update.values, false, depth)
        return old == SWO_OK ? checkAny(update.values + 1, false, depth) : old
    case SWO_KIND_LIST where depth > 0:
        return checkList(value, depth)
    default:
        return SWO_WRONG_KIND
    }
}

func checkAny(_ value: UnsafePointer<swo_value>, _ updates: Bool, _ depth: Int) -> swo_status {
    isNumber(value) ? SWO_OK : checkPointers(value, updates, lists: depth)
}

/// Whether two well formed values are equal. Runs the object type's `equal`.
func equalValues(_ one: UnsafePointer<swo_value>, _ other: UnsafePointer<swo_value>) -> Bool {
    guard one.pointee.kind == other.pointee.kind else { return false }
    let (first, second) = (one.pointee.as, other.pointee.as)
    switch one.pointee.kind {
    case SWO_KIND_BOOL:
        return first.boolean == second.boolean
    case SWO_KIND_INT64:
        return first.int64 == second.int64
    case SWO_KIND_DOUBLE:
        return first.float64 == second.float64
    case SWO_KIND_TEXT, SWO_KIND_BYTES:
        guard first.bytes.size == second.bytes.size else { return false }
        return first.bytes.size == 0 || memcmp(first.bytes.data!, second.bytes.data!, first.bytes.size) == 0
    case SWO_KIND_OBJECT:
        guard swo_is_same_type(first.object.type, second.object.type) else { return false }
        if first.object.pointer == second.object.pointer { return true }
        guard let equal = first.object.type!.pointee.equal else { return false }
        return equal(first.object.pointer, second.object.pointer)
    case SWO_KIND_UPDATE:
        let (old, new) = (first.update!.values, second.update!.values)
        return equalValues(old, new) && equalValues(old + 1, new + 1)
    case SWO_KIND_LIST:
        return equalLists(one, other)
    default:
        return true
    }
}

/// Copies a well formed value into one that owns what it points at. @return False if there is no memory.
func copyValue(_ value: UnsafePointer<swo_value>, _ out: inout swo_value) -> Bool {
    out = value.pointee
    out.owned = 0
    switch value.pointee.kind {
    case SWO_KIND_TEXT, SWO_KIND_BYTES:
        let bytes = value.pointee.as.bytes
        guard let copy = malloc(bytes.size &+ 1) else { return false }
        if bytes.size > 0 { memcpy(copy, bytes.data!, bytes.size) }
        // A zero behind a text, for those who print it.
        copy.storeBytes(of: 0, toByteOffset: bytes.size, as: UInt8.self)
        out.as.bytes.data = UnsafeRawPointer(copy)
        out.owned = 1
    case SWO_KIND_OBJECT:
        let object = value.pointee.as.object
        object.type!.pointee.retain?(object.pointer)
        out.owned = 1
    case SWO_KIND_UPDATE:
        var copy = swo_update()
        guard copyValue(value.pointee.as.update!.values, &copy.old_value) else { return false }
        guard copyValue(value.pointee.as.update!.values + 1, &copy.new_value),
            let memory = malloc(MemoryLayout<swo_update>.size)
        else {
            clearValue(&copy.old_value)
            clearValue(&copy.new_value)
            return false
        }
        memory.initializeMemory(as: swo_update.self, to: copy)
        out.as.update = UnsafePointer(memory.assumingMemoryBound(to: swo_update.self))
        out.owned = 1
    case SWO_KIND_LIST:
        return copyList(value, &out)
    default:
        break
    }
    return true
}

/// Frees what a value owns, and makes it null.
func clearValue(_ value: UnsafeMutablePointer<swo_value>) {
    let cleared = value.pointee
    value.pointee = swo_value()
    guard cleared.owned != 0 else { return }
    switch cleared.kind {
    case SWO_KIND_TEXT, SWO_KIND_BYTES:
        platform_free(UnsafeMutableRawPointer(mutating: cleared.as.bytes.data))
    case SWO_KIND_OBJECT:
        if let release = cleared.as.object.type?.pointee.release { platform_end(release, cleared.as.object.pointer) }
    case SWO_KIND_UPDATE:
        guard let update = cleared.as.update else { return }
        let values = UnsafeMutablePointer(mutating: update.values)
        clearValue(values)
        clearValue(values + 1)
        platform_free(UnsafeMutableRawPointer(values))
    case SWO_KIND_LIST:
        clearList(cleared)
    default:
        break
    }
}

extension UnsafePointer<swo_update> {
    /// The old value, and the new one after it.
    var values: UnsafePointer<swo_value> { UnsafeRawPointer(self).assumingMemoryBound(to: swo_value.self) }
}
