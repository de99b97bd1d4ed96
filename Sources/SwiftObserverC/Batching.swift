// SPDX-License-Identifier: MIT

import CSwiftObserver
import ObserverEngine

@_cdecl("swo_variable_begin_batch")
public func swo_variable_begin_batch(_ variable: OpaquePointer?) -> swo_status {
    guard let variable else { return SWO_INVALID_ARGUMENT }
    // Counted, for where a batch takes its turn a handler may release it.
    let handle = handle(variable)
    guard handle.isVariable else { return SWO_WRONG_KIND }
    guard !handle.isElsewhere else { return SWO_WRONG_THREAD }
    handle.variable?.beginBatch()
    handle.deferred?.beginBatch()
    return withExtendedLifetime(handle) { SWO_OK }
}

@_cdecl("swo_variable_end_batch")
public func swo_variable_end_batch(_ variable: OpaquePointer?) -> swo_status {
    guard let variable else { return SWO_INVALID_ARGUMENT }
    return withObservable(variable) { handle in
        guard handle.isVariable else { return SWO_WRONG_KIND }
        guard !handle.isElsewhere else { return SWO_WRONG_THREAD }
        let outcome = handle.deferred.map { $0.endBatch() } ?? handle.variable!.endBatch()
        return outcome.map { status(of: $0) } ?? SWO_NOT_FOUND
    }
}
