// SPDX-License-Identifier: MIT

import SwiftObserver
import TestSupport

extension ManualQueue: DeliveryQueue {}

/// A queue that runs its jobs at once, on the thread that waits.
struct CallingThread: SynchronousDeliveryQueue {
    func runLater(_ job: @escaping @Sendable () -> Void) { job() }
    func runAndWait(_ job: () -> Void) { job() }
}

/// An observer that several threads use.
final class Cat: Observer, Sendable {
    let receiver = Receiver()
}
