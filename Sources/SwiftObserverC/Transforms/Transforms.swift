// SPDX-License-Identifier: MIT

import CSwiftObserver
import ObserverEngine

@_cdecl("swo_map")
public func swo_map(
    _ source: OpaquePointer?, _ mapper: swo_mapper?, _ context: UnsafeMutableRawPointer?, _ destroy: swo_destroy?,
    _ out: UnsafeMutablePointer<OpaquePointer?>?
) -> swo_status {
    let context = Context(context, destroy)
    guard let mapper else { return SWO_INVALID_ARGUMENT }
    let map = step { message, _, made in
        guard mapper(context.pointer, message, made) == SWO_OK, checkValue(made) == SWO_OK else {
            return made.failing()
        }
        return made.pointee.kind <= SWO_KIND_DOUBLE ? UnsafePointer(made) : copied(made)
    }
    return attach("map", to: source, out, isBuffered: true, map)
}

@_cdecl("swo_filter")
public func swo_filter(
    _ source: OpaquePointer?, _ predicate: swo_predicate?, _ context: UnsafeMutableRawPointer?,
    _ destroy: swo_destroy?, _ out: UnsafeMutablePointer<OpaquePointer?>?
) -> swo_status {
    let context = Context(context, destroy)
    guard let predicate else { return SWO_INVALID_ARGUMENT }
    return attach("filter", to: source, out, passing(filtering { predicate(context.pointer, $0) }))
}

@_cdecl("swo_new_values")
public func swo_new_values(_ source: OpaquePointer?, _ out: UnsafeMutablePointer<OpaquePointer?>?) -> swo_status {
    attach("new", to: source, out, isBuffered: true, passing { newValue(of: $0) })
}

@_cdecl("swo_transform_set_source")
public func swo_transform_set_source(_ transform: OpaquePointer?, _ source: OpaquePointer?) -> swo_status {
    guard let transform else { return SWO_INVALID_ARGUMENT }
    // Counted, because a callback may release them.
    let target = handle(transform), source = source.map { handle($0) }
    let status = target.role.upstream?.change(to: source, for: target.core) ?? SWO_WRONG_KIND
    return withExtendedLifetime((target, source)) { status }
}

@_cdecl("swo_weak")
public func swo_weak(_ source: OpaquePointer?, _ out: UnsafeMutablePointer<OpaquePointer?>?) -> swo_status {
    attach("weak", to: source, out, keepsSource: false, passingAll())
}

/// Replaces what a mapper has made by a copy: the mapper may be called again, for the latest message, while this one is
/// delivered.
@inline(never)
private func copied(_ made: UnsafeMutablePointer<swo_value>) -> UnsafePointer<swo_value> {
    var copy = swo_value()
    guard copyValue(made, &copy) else { return made.failing() }
    copy.owned = swo_value.made
    return made.with(copy)
}

/// The new value of an update, and any other message itself.
func newValue(of message: UnsafePointer<swo_value>) -> UnsafePointer<swo_value> {
    message.pointee.kind == SWO_KIND_UPDATE ? message.pointee.as.update!.values + 1 : message
}
