// SPDX-License-Identifier: MIT

import CPlatform
import CSwiftObserver
import ObserverEngine

@_cdecl("swo_merge")
public func swo_merge(
    _ sources: UnsafePointer<OpaquePointer?>?, _ count: Int, _ out: UnsafeMutablePointer<OpaquePointer?>?
) -> swo_status {
    guard let sources, count > 0, let out else { return SWO_INVALID_ARGUMENT }
    for index in 0..<count where sources[index] == nil { return SWO_INVALID_ARGUMENT }
    if platform_is_out_of_memory() { return SWO_NO_MEMORY }
    let target = Core<CHandler>(kind: text("merge"))
    let merged = (0..<count).map { handle(sources[$0]!) }
    let upstream = Upstream(merging: merged, to: target)
    out.pointee = ObservableHandle(target, .transform(upstream)).export()
    for source in merged { source.isObservedAgain() }
    return SWO_OK
}
