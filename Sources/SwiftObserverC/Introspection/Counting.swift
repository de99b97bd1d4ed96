// SPDX-License-Identifier: MIT

import CSwiftObserver
import ObserverEngine
import Synchronization

@_cdecl("swo_observable_count")
public func swo_observable_count(_ observable: OpaquePointer?) -> Int {
    guard let observable else { return 0 }
    let hidden = presentObservable(observable)?._withUnsafeGuaranteedRef { $0.hiddenObservations } ?? 0
    return withCore(observable) { $0.observationCount } - hidden
}

@_cdecl("swo_observer_count")
public func swo_observer_count(_ observer: OpaquePointer?) -> Int {
    guard let observer else { return 0 }
    return withHandle(observer, Keeper.self) { $0.observationCount }
}

@_cdecl("swo_observable_refused")
public func swo_observable_refused(_ observable: OpaquePointer?) -> Int {
    guard let observable else { return 0 }
    return withCore(observable) { $0.refusals }
}
