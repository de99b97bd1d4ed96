// SPDX-License-Identifier: MIT

import CSwiftObserver
import ObserverEngine

@_cdecl("swo_set_runtime_lock")
public func swo_set_runtime_lock(_ lock: UnsafePointer<swo_runtime_lock>?) -> swo_status {
    guard let lock else {
        RuntimeLock.ofProcess = nil
        return SWO_OK
    }
    guard lock.pointee.size >= MemoryLayout<swo_runtime_lock>.size, let isHeld = lock.pointee.is_held,
        let release = lock.pointee.release, let acquire = lock.pointee.acquire
    else { return SWO_INVALID_ARGUMENT }
    let kept = UnsafeMutablePointer<RuntimeLock>.allocate(capacity: 1)
    kept.initialize(to: RuntimeLock(isHeld: isHeld, release: release, acquire: acquire))
    RuntimeLock.ofProcess = UnsafePointer(kept)
    return SWO_OK
}
