// SPDX-License-Identifier: MIT

import CPlatform
import CSwiftObserver
import ObserverEngine

@_cdecl("swo_switch_to_latest")
public func swo_switch_to_latest(
    _ source: OpaquePointer?, _ chooser: swo_chooser?, _ context: UnsafeMutableRawPointer?, _ destroy: swo_destroy?,
    _ out: UnsafeMutablePointer<OpaquePointer?>?
) -> swo_status { passOnChosen(source, 1, chooser, Context(context, destroy), out, as: text("switch to latest")) }

@_cdecl("swo_flat_map")
public func swo_flat_map(
    _ source: OpaquePointer?, _ most: Int, _ chooser: swo_chooser?, _ context: UnsafeMutableRawPointer?,
    _ destroy: swo_destroy?, _ out: UnsafeMutablePointer<OpaquePointer?>?
) -> swo_status { passOnChosen(source, most, chooser, Context(context, destroy), out, as: text("flat map")) }

private func passOnChosen(
    _ source: OpaquePointer?, _ most: Int, _ chooser: swo_chooser?, _ context: Context,
    _ out: UnsafeMutablePointer<OpaquePointer?>?, as kind: UnsafePointer<CChar>, function: StaticString = #function
) -> swo_status {
    guard let source, let chooser, let out, most > 0 else { return SWO_INVALID_ARGUMENT }
    if platform_is_out_of_memory() { return SWO_NO_MEMORY }
    let first = handle(source, function: function), target = Core<CHandler>(kind: kind)
    let chosen = Switches<ObservableHandle, CHandler>(most: most, areSame: { isSame($0, $1) }) {
        let link = Switch<ObservableHandle, CHandler>(
            // Nothing, until there is a choice.
            ObservableHandle(Core<CHandler>(kind: text("messenger"))), core: { $0.core }, feeding: target,
            destroy: StepSink.destroy
        ) { StepSink.handler(of: $0, by: $1, to: target, passingAll()) }
        _ = link.change(to: nil)?()
        return link
    }
    let junction = Junction<CHandler> { _, message, _ in
        var next: OpaquePointer?
        guard let message, chooser(context.pointer, message, &next) == SWO_OK else { return false }
        let nextHandle = next.map { handle($0) }
        swo_observable_release(next)
        return chosen.choose(nextHandle) { Upstream.change($0, to: $1, for: target) == SWO_OK }
    }
    let upstream = Upstream(joining: [first], junction, to: target, choosing: chosen)
    out.pointee = ObservableHandle(target, .transform(upstream)).export()
    first.isObservedAgain()
    return SWO_OK
}
