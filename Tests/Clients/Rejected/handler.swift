// SPDX-License-Identifier: MIT
// error: main actor-isolated property 'lines' can not be mutated from a Sendable closure
// A handler that belongs to the main actor is not called on a queue.

import SwiftObserver

@MainActor final class Display: Observer {
    let receiver = Receiver()
    var lines = 0

    func watch(_ numbers: Messenger<Int>, on queue: some DeliveryQueue) {
        observe(numbers, on: .async(queue)) { [weak self] number in self?.lines += number }
    }
}
