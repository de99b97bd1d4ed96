// SPDX-License-Identifier: MIT

import CPlatform
import CSwiftObserver
import ObserverEngine

@_cdecl("swo_switch_to_latest")
public func swo_switch_to_latest(
    _ source: OpaquePointer?, _ chooser: swo_chooser?, _ context: UnsafeMutableRawPointer?, _ destroy: swo_destroy?,
    _ out: UnsafeMutablePointer<OpaquePointer?>?
) -> swo_status {
    let context = Context(context, destroy)
    guard let source, let chooser, let out else { return SWO_INVALID_ARGUMENT }
    if platform_is_out_of_memory() { return SWO_NO_MEMORY }
    let first = handle(source), target = Core<CHandler>(kind: text("switch to latest"))
    let link = Switch<ObservableHandle, CHandler>(
        // Nothing, until there is a choice.
        ObservableHandle(Core<CHandler>(kind: text("messenger"))), core: { $0.core }, feeding: target,
        destroy: StepSink.destroy
    ) { StepSink.handler(of: $0, by: $1, to: target, passingAll()) }
    _ = link.change(to: nil)?()
    let junction = Junction<CHandler> { _, message, _ in
        var chosen: OpaquePointer?
        guard let message, chooser(context.pointer, message, &chosen) == SWO_OK else { return false }
        let next = chosen.map { handle($0) }
        swo_observable_release(chosen)
        return Upstream.change(link, to: next, for: target) == SWO_OK
    }
    let upstream = Upstream(joining: [first], junction, to: target, choosing: link)
    out.pointee = ObservableHandle(target, .transform(upstream)).export()
    first.isObservedAgain()
    return SWO_OK
}
