// SPDX-License-Identifier: MIT

import CSwiftObserver
import ObserverEngine

@_cdecl("swo_variable_begin_batch")
public func swo_variable_begin_batch(_ variable: OpaquePointer?) -> swo_status {
    guard let variable else { return SWO_INVALID_ARGUMENT }
    // Counted, for where a batch takes its turn a handler may release it.
    let handle = handle(variable)
    guard handle.role.isSettable else { return SWO_WRONG_KIND }
    guard !handle.isElsewhere else { return SWO_WRONG_THREAD }
    switch handle.role {
    case .variable(let variable): variable.beginBatch()
    case .deferred(let variable): variable.beginBatch()
    case .messenger, .derived, .transform: break
    }
    return withExtendedLifetime(handle) { SWO_OK }
}

@_cdecl("swo_variable_end_batch")
public func swo_variable_end_batch(_ variable: OpaquePointer?) -> swo_status {
    guard let variable else { return SWO_INVALID_ARGUMENT }
    endIfCancelled()
    return withObservable(variable) { handle in
        guard handle.role.isSettable else { return SWO_WRONG_KIND }
        guard !handle.isElsewhere else { return SWO_WRONG_THREAD }
        let outcome: Outcome?
        switch handle.role {
        case .variable(let variable): outcome = variable.endBatch()
        case .deferred(let variable): outcome = variable.endBatch()
        case .messenger, .derived, .transform: outcome = nil
        }
        return outcome.map { status(of: $0) } ?? SWO_NOT_FOUND
    }
}
