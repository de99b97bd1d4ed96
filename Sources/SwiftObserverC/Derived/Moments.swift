// SPDX-License-Identifier: MIT

import CSwiftObserver
import ObserverEngine

@_cdecl("swo_untracked")
public func swo_untracked(_ function: swo_procedure?, _ context: UnsafeMutableRawPointer?) -> swo_status {
    guard let function else { return SWO_INVALID_ARGUMENT }
    return readingUntracked { function(context) }
}

@_cdecl("swo_snapshot")
public func swo_snapshot(_ function: swo_procedure?, _ context: UnsafeMutableRawPointer?) -> swo_status {
    guard let function else { return SWO_INVALID_ARGUMENT }
    return readingAtOneMoment { function(context) }
}

@_cdecl("swo_transaction_begin")
public func swo_transaction_begin() -> swo_status { Transactions.begin() ? SWO_OK : SWO_COMPUTING }

@_cdecl("swo_transaction_commit")
public func swo_transaction_commit() -> swo_status {
    // It is not the function's, but of those who read its variable.
    if isComputing { return SWO_COMPUTING }
    switch Transactions.commit() {
    case .done(let outcome): return status(of: outcome)
    case .conflict: return SWO_CONFLICT
    case .none: return SWO_NOT_FOUND
    }
}

@_cdecl("swo_transaction_abort")
public func swo_transaction_abort() -> swo_status {
    if isComputing { return SWO_COMPUTING }
    return Transactions.abort() ? SWO_OK : SWO_NOT_FOUND
}

@_cdecl("swo_transaction_depth")
public func swo_transaction_depth() -> Int { Transactions.depth }
