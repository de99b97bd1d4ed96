// SPDX-License-Identifier: MIT

import CSwiftObserver
import ObserverEngine

@_cdecl("swo_merge")
public func swo_merge(
    _ sources: UnsafePointer<OpaquePointer?>?, _ count: Int, _ out: UnsafeMutablePointer<OpaquePointer?>?
) -> swo_status {
    guard let sources, count > 0, let out else { return SWO_INVALID_ARGUMENT }
    for index in 0..<count where sources[index] == nil { return SWO_INVALID_ARGUMENT }
    let target = Core<CHandler>()
    var kept: [ObservableHandle] = []
    var observations: [ObservationID] = []
    for index in 0..<count {
        let source = handle(sources[index]!)
        kept.append(source)
        observations.append(Relay.begin("merge", from: source.core, to: target, passingAll()).observation)
    }
    let origin = Origin("merge", from: kept, by: observations)
    out.pointee = ObservableHandle(core: target, origin: origin).export()
    for source in kept { source.isObservedAgain() }
    return SWO_OK
}
