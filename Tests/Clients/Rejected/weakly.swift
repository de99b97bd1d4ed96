// SPDX-License-Identifier: MIT
// error: type 'Label' does not conform to the 'Sendable' protocol
// An object that is not Sendable is not handed to a handler on a queue.

import SwiftObserver

final class Label {
    var number = 0
}

func show(_ numbers: Messenger<Int>, in label: Label, on queue: some DeliveryQueue) {
    numbers.observe(weakly: label, on: .async(queue)) { label, number in label.number = number }
}
