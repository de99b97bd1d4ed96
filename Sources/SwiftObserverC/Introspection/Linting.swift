// SPDX-License-Identifier: MIT

import CPlatform
import CSwiftObserver
import ObserverEngine

/// What a call of a handler may take, as `SWO_LINT_OPTIONS_INIT` says.
private let slowest: Int64 = 100_000_000

@_cdecl("swo_lint")
public func swo_lint(
    _ options: UnsafePointer<swo_lint_options>?, _ found: swo_finding?, _ context: UnsafeMutableRawPointer?
) -> swo_status {
    guard let found, (options.map { $0.pointee.size >= MemoryLayout<swo_lint_options>.size }) ?? true,
        let slow = UInt64(exactly: options?.pointee.slow ?? slowest)
    else { return SWO_INVALID_ARGUMENT }
    // Of the same shape: only what may be null is said differently.
    let isDone = platform_lint(slow, unsafeBitCast(found, to: platform_finding.self), context)
    return isDone ? SWO_OK : SWO_NO_MEMORY
}
