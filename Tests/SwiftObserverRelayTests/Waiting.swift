// SPDX-License-Identifier: MIT

import SwiftObserver
import SwiftObserverRelay
import TestSupport

/// A relay to where the tests meet, which is soon connected again.
func relay(_ device: String? = nil, at address: String = meeting) throws(Relay.Failure) -> Relay {
    try Relay(to: address, device: device, firstRetry: .milliseconds(5), lastRetry: .milliseconds(20))
}

/// Waits until a variable's value is as it has to be.
func until<Value: Sendable>(_ variable: Var<Value>, _ isIt: @escaping @Sendable (Value) -> Bool) {
    let found = Gate(), observer = FreeObserver()
    observer.observe(variable, replaying: .latest) { if isIt($0.new) { found.open() } }
    found.pass()
}

func until<Value: Equatable & Sendable>(_ variable: Var<Value>, is value: Value) { until(variable) { $0 == value } }

func ready(_ relays: Relay...) {
    for relay in relays { until(relay.state) { $0.phase == .ready } }
}
