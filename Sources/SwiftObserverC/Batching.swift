// SPDX-License-Identifier: MIT

import CSwiftObserver
import ObserverEngine

@_cdecl("swo_variable_begin_batch")
public func swo_variable_begin_batch(_ variable: OpaquePointer?) -> swo_status {
    guard let variable else { return SWO_INVALID_ARGUMENT }
    // Counted, for where a batch takes its turn a handler may release it.
    let handle = handle(variable)
    guard let storage = handle.variable else { return SWO_WRONG_KIND }
    if let turns = handle.turns { turns.beginBatch() } else { storage.beginBatch() }
    return withExtendedLifetime(handle) { SWO_OK }
}

@_cdecl("swo_variable_end_batch")
public func swo_variable_end_batch(_ variable: OpaquePointer?) -> swo_status {
    guard let variable else { return SWO_INVALID_ARGUMENT }
    return withHandle(variable, ObservableHandle.self) { handle in
        guard let storage = handle.variable else { return SWO_WRONG_KIND }
        if let turns = handle.turns { return turns.endBatch() }
        return storage.endBatch().map { status(of: $0) } ?? SWO_NOT_FOUND
    }
}
