// SPDX-License-Identifier: MIT

import CPlatform
import CSwiftObserver

// Values that are lists. Apart from the other kinds, which these would make dearer.

/// How deep lists can be in lists, so that nothing that looks into them takes much of the stack.
var deepestList: Int { 16 }

/// Whether what the library puts together is not too deep a list.
func canBeListed(_ value: UnsafePointer<swo_value>) -> Bool { isShallow(value, deepestList - 1) }

private func isShallow(_ value: UnsafePointer<swo_value>, _ depth: Int) -> Bool {
    switch value.pointee.kind {
    case SWO_KIND_LIST:
        guard depth > 0 else { return false }
        let list = value.pointee.as.list
        for one in 0..<list.count where !isShallow(list.values! + one, depth - 1) { return false }
        return true
    case SWO_KIND_UPDATE:
        let update = value.pointee.as.update!.values
        return isShallow(update, depth) && isShallow(update + 1, depth)
    default: return true
    }
}

@inline(never)
func checkList(_ value: UnsafePointer<swo_value>, _ depth: Int) -> swo_status {
    let list = value.pointee.as.list
    // A size_t beyond PTRDIFF_MAX arrives as a negative Int.
    guard list.count >= 0, list.count == 0 || list.values != nil else { return SWO_INVALID_ARGUMENT }
    for one in 0..<list.count {
        let status = checkAny(list.values! + one, true, depth - 1)
        guard status == SWO_OK else { return status }
    }
    return SWO_OK
}

@inline(never)
func equalLists(_ one: UnsafePointer<swo_value>, _ other: UnsafePointer<swo_value>) -> Bool {
    let (first, second) = (one.pointee.as.list, other.pointee.as.list)
    guard first.count == second.count else { return false }
    for place in 0..<first.count where !equalValues(first.values! + place, second.values! + place) { return false }
    return true
}

/// - Parameter out: is the list itself.
/// - Returns: False if there is no memory.
@inline(never)
func copyList(_ value: UnsafePointer<swo_value>, _ out: inout swo_value) -> Bool {
    let list = value.pointee.as.list
    guard list.count > 0 else { return true }
    guard let memory = malloc(list.count * MemoryLayout<swo_value>.stride) else { return false }
    let copies = memory.bindMemory(to: swo_value.self, capacity: list.count)
    out.as.list.values = UnsafePointer(copies)
    out.owned = 1
    for one in 0..<list.count {
        (copies + one).initialize(to: swo_value())
        guard copyValue(list.values! + one, &copies[one]) else {
            out.as.list.count = one
            clearValue(&out)
            return false
        }
    }
    return true
}

@inline(never)
func clearList(_ value: swo_value) {
    guard let values = value.as.list.values else { return }
    let copies = UnsafeMutablePointer(mutating: values)
    for one in 0..<value.as.list.count { clearValue(copies + one) }
    platform_free(UnsafeMutableRawPointer(copies))
}
