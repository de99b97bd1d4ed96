// SPDX-License-Identifier: MIT

import CPlatform
import CSwiftObserver
import ObserverEngine

@_cdecl("swo_bind")
public func swo_bind(
    _ source: OpaquePointer?, _ target: OpaquePointer?, _ convert: swo_mapper?, _ back: swo_mapper?,
    _ context: UnsafeMutableRawPointer?, _ destroy: swo_destroy?, _ options: UnsafePointer<swo_bind_options>?,
    _ out: UnsafeMutablePointer<swo_observation>?
) -> swo_status {
    let context = Context(context, destroy)
    let both = options?.pointee.both ?? false
    guard let source, let target,
        options.map({ $0.pointee.size >= MemoryLayout<swo_bind_options>.size }) ?? true,
        both ? (convert == nil) == (back == nil) : back == nil
    else { return SWO_INVALID_ARGUMENT }
    if platform_is_out_of_memory() { return SWO_NO_MEMORY }
    let sides = (source: handle(source), target: handle(target))
    guard sides.target.role.isSettable, !both || sides.source.role.isSettable else { return SWO_WRONG_KIND }
    if source == target { return SWO_INVALID_ARGUMENT }
    let binding = Binding(
        source: Side(sides.source, back), target: Side(sides.target, convert), context, both: both)
    guard let id = binding.begin(keptBy: options?.pointee.observer) else { return SWO_CALLBACK_FAILED }
    out?.pointee = id.rawValue
    sides.source.isObservedAgain()
    sides.target.isObservedAgain()
    return SWO_OK
}

/// One side of a binding, without what keeps it alive.
private struct Side {
    let core: Core<CHandler>
    let role: Role
    /// Set where it has a latest message.
    let buffer: Buffer?
    /// Makes a value for it of one of the other side.
    let convert: swo_mapper?

    init(_ handle: ObservableHandle, _ convert: swo_mapper?) {
        core = handle.core
        role = handle.role
        buffer = handle.buffer
        self.convert = convert
    }

    /// - Returns: False if that could not be done.
    func set(_ value: OwnedValue, author: UnsafeRawPointer) -> Bool {
        if core.isConfinedElsewhere { return false }
        return core.setByBinding {
            switch role {
            case .variable(let variable): return variable.set(value, author: author)
            case .deferred(let variable): return variable.set(value, author: author)
            case .messenger, .derived, .transform: return .handlerFailed
            }
        } == .sent
    }
}

/// Copies values of one side to the other, one at a time.
///
///     source --part 0--\
///     target --part 1---+--> junction --> forth, back
///
/// The junction holds it, and each part holds the junction. When that is stopped, all parts end, and when a part ends,
/// because its observable died or the observer stopped it, so does the junction.
private final class Binding {
    private let source: Side
    private let target: Side
    private let context: Context
    private let both: Bool

    init(source: Side, target: Side, _ context: Context, both: Bool) {
        self.source = source
        self.target = target
        self.context = context
        self.both = both
    }

    /// - Returns: `nil` if the first value could not be set, and nothing is left.
    func begin(keptBy observer: OpaquePointer?) -> ObservationID? {
        let author = UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque())
        let junction = Junction<CHandler> { [self] part, message, by in
            // What it has set itself comes back.
            if message != nil, by == author { return true }
            if part == 1 { return copy(target, to: source, author) }
            guard let message, !both else { return copy(source, to: target, author) }
            return put(newValue(of: message), into: target, author)
        }
        let keeper = Keeper()
        // As soon as it is stopped, also from within.
        junction.whenStopped { keeper.stopAll() }
        // What is not followed is observed for its end.
        for (part, side) in [source, target].enumerated() {
            let id = JunctionSink.observe(side.core, as: part, of: junction, to: nil, heard: part == 0 || both)
            keeper.keep(id)
            if let observer { withHandle(observer, Keeper.self, function: "swo_bind") { $0.keep(id) } }
        }
        let isCopied = source.buffer == nil || junction.signal(-1, author: nil) == .sent
        // It may have ended before all parts were kept.
        if !isCopied { junction.id.stop() }
        if !junction.id.isLiving { keeper.stopAll() }
        return isCopied ? junction.id : nil
    }

    /// Copies the present value.
    private func copy(_ one: Side, to other: Side, _ author: UnsafeRawPointer) -> Bool {
        guard let latest = one.buffer?() else { return false }
        guard let message = latest.message else { return latest.status == SWO_NOT_FOUND }
        return message.withValue { put(newValue(of: $0), into: other, author) }
    }

    private func put(_ value: UnsafePointer<swo_value>, into side: Side, _ author: UnsafeRawPointer) -> Bool {
        var made = swo_value()
        return withUnsafeMutablePointer(to: &made) { made in
            var value = value
            if let convert = side.convert {
                guard convert(context.pointer, value, made) == SWO_OK else { return false }
                value = UnsafePointer(made)
            }
            guard checkValue(value, updates: false) == SWO_OK, let kept = OwnedValue(copying: value) else {
                return false
            }
            return side.set(kept, author: author)
        }
    }
}
