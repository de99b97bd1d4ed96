// SPDX-License-Identifier: MIT

import CSwiftObserver
import ObserverEngine

// Transforms that remember messages, which they copy for that.

@_cdecl("swo_with_previous")
public func swo_with_previous(
    _ source: OpaquePointer?, _ out: UnsafeMutablePointer<OpaquePointer?>?
) -> swo_status {
    let pairs: Step<OwnedValue, (previous: OwnedValue?, current: OwnedValue)> = addingPrevious()
    let update = UpdateInPlace()
    let pair = step { message, _, made in
        guard let value = OwnedValue(copying: newValue(of: message)) else { return made.failing() }
        return pairs(value).map { made.with(update.put($0.previous ?? OwnedValue(), $0.current)) }
    }
    return attach("with previous", to: source, out, pair)
}

@_cdecl("swo_skip_repeats")
public func swo_skip_repeats(
    _ source: OpaquePointer?, _ out: UnsafeMutablePointer<OpaquePointer?>?
) -> swo_status {
    attach("skip repeats", to: source, out, remembering(skippingRepeats(by: equalMessages)))
}

@_cdecl("swo_unique_values")
public func swo_unique_values(
    _ source: OpaquePointer?, _ out: UnsafeMutablePointer<OpaquePointer?>?
) -> swo_status {
    attach("unique values", to: source, out, remembering(takingUnique(by: equalMessages)))
}

@_cdecl("swo_scan")
public func swo_scan(
    _ source: OpaquePointer?, _ initial: UnsafePointer<swo_value>?, _ accumulator: swo_accumulator?,
    _ context: UnsafeMutableRawPointer?, _ destroy: swo_destroy?, _ out: UnsafeMutablePointer<OpaquePointer?>?
) -> swo_status {
    let context = Context(context, destroy)
    guard let accumulator else { return SWO_INVALID_ARGUMENT }
    var value = OwnedValue()
    if let initial {
        let status = checkValue(initial, updates: false)
        guard status == SWO_OK else { return status }
        guard let kept = OwnedValue(copying: initial) else { return SWO_NO_MEMORY }
        value = kept
    }
    let scan = step { message, _, made in
        let before = value.borrowed
        let status = withUnsafePointer(to: before) { accumulator(context.pointer, $0, message, made) }
        guard status == SWO_OK, checkValue(made, updates: false) == SWO_OK, let next = OwnedValue(copying: made) else {
            return made.failing()
        }
        value = next
        return made.with(next.borrowed)
    }
    return attach("scan", to: source, out, scan)
}

private func equalMessages(_ one: StoredMessage, _ other: StoredMessage) -> Bool {
    one.withValue { one in other.withValue { equalValues(one, $0) } }
}

/// Makes a step on borrowed messages of one on copies: it passes on each message whose copy the other passes on.
private func remembering(_ step: @escaping Step<StoredMessage, StoredMessage>) -> CStep {
    SwiftObserverC.step { message, _, made in
        guard let copy = StoredMessage(copying: message) else { return made.failing() }
        return step(copy) == nil ? nil : message
    }
}

/// The memory of an update that is being sent. It holds what the update borrows until the next one.
private final class UpdateInPlace {
    private let update = UnsafeMutablePointer<swo_update>.allocate(capacity: 1)
    private var values: (OwnedValue, OwnedValue)?

    deinit { update.deallocate() }

    func put(_ old: OwnedValue, _ new: OwnedValue) -> swo_value {
        values = (old, new)
        update.initialize(to: swo_update(old_value: old.borrowed, new_value: new.borrowed))
        return swo_update_value(update)
    }
}
