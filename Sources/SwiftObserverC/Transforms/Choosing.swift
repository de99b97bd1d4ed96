// SPDX-License-Identifier: MIT

import CSwiftObserver
import ObserverEngine

@_cdecl("swo_unwrap")
public func swo_unwrap(_ source: OpaquePointer?, _ out: UnsafeMutablePointer<OpaquePointer?>?) -> swo_status {
    attach("unwrap", to: source, out, passing(filtering { $0.pointee.kind != SWO_KIND_NULL }))
}

@_cdecl("swo_unwrap_or")
public func swo_unwrap_or(
    _ source: OpaquePointer?, _ stand_in: UnsafePointer<swo_value>?, _ out: UnsafeMutablePointer<OpaquePointer?>?
) -> swo_status {
    keeping(stand_in) { standIn in
        let unwrap = step { message, _, made in
            message.pointee.kind == SWO_KIND_NULL ? made.with(standIn.borrowed) : message
        }
        return attach("unwrap or", to: source, out, isBuffered: true, unwrap)
    }
}

@_cdecl("swo_select")
public func swo_select(
    _ source: OpaquePointer?, _ selected: UnsafePointer<swo_value>?, _ out: UnsafeMutablePointer<OpaquePointer?>?
) -> swo_status {
    keeping(selected) { selected in
        let select = step { message, _, made in
            equalValues(made.with(selected.borrowed), message) ? made.with(swo_value()) : nil
        }
        return attach("select", to: source, out, select)
    }
}

@_cdecl("swo_from")
public func swo_from(
    _ source: OpaquePointer?, _ author: UnsafeRawPointer?, _ out: UnsafeMutablePointer<OpaquePointer?>?
) -> swo_status {
    let wanted = author ?? source.map { UnsafeRawPointer($0) }
    return attach("from", to: source, out, byAuthors { $0 == wanted })
}

@_cdecl("swo_not_from")
public func swo_not_from(
    _ source: OpaquePointer?, _ author: UnsafeRawPointer?, _ out: UnsafeMutablePointer<OpaquePointer?>?
) -> swo_status {
    let unwanted = author ?? source.map { UnsafeRawPointer($0) }
    return attach("not from", to: source, out, byAuthors { $0 != unwanted })
}

@_cdecl("swo_take")
public func swo_take(
    _ source: OpaquePointer?, _ count: Int, _ out: UnsafeMutablePointer<OpaquePointer?>?
) -> swo_status {
    attach("take", to: source, out, passing(taking(bounded(count))))
}

@_cdecl("swo_skip")
public func swo_skip(
    _ source: OpaquePointer?, _ count: Int, _ out: UnsafeMutablePointer<OpaquePointer?>?
) -> swo_status {
    attach("skip", to: source, out, passing(skipping(bounded(count))))
}

/// A `size_t`, which arrives as a negative number beyond `PTRDIFF_MAX`: as good as infinite.
func bounded(_ size: Int) -> Int { size < 0 ? .max : size }

private func byAuthors(_ isWanted: @escaping (UnsafeRawPointer?) -> Bool) -> CStep {
    let filter: AuthoredStep<UnsafePointer<swo_value>, UnsafeRawPointer?, UnsafePointer<swo_value>> =
        filteringAuthors(isWanted)
    return step { message, author, _ in filter(message, author) }
}

/// Checks and copies a value that a transform is to keep. It is no update.
private func keeping(
    _ value: UnsafePointer<swo_value>?, _ body: (OwnedValue) -> swo_status
) -> swo_status {
    guard let value else { return SWO_INVALID_ARGUMENT }
    let status = checkValue(value, updates: false)
    guard status == SWO_OK else { return status }
    guard let kept = OwnedValue(copying: value) else { return SWO_NO_MEMORY }
    return body(kept)
}
