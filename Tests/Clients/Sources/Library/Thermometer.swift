// SPDX-License-Identifier: MIT
// A library in whose own interface observables stand.

import SwiftObserver
import SwiftObserverObservation

public final class Thermometer: SwiftObserver.Observable, Sendable {
    public let messenger = Messenger<Update<Double>>()
    public let temperature = Var(0.0)
    public let text: Mapper<Var<Double>, String>

    public init() { text = temperature.map { "\($0.new) degrees" } }

    public var latest: Update<Double> { temperature.latestMessage }

    public func observe(with observer: some Observer, _ receive: @escaping @Sendable (Update<Double>) -> Void)
        -> ObservationHandle
    {
        observer.observe(temperature, receive: receive)
    }
}

@MainActor public func tracked(_ read: @escaping () -> Int) -> Tracked<Int> { Tracked(read) }
