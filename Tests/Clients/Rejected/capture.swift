// SPDX-License-Identifier: MIT
// error: in concurrently-executing code
// What a handler shares with the thread that made it is not called on a queue.

import SwiftObserver

func watch(_ numbers: Messenger<Int>, on queue: some DeliveryQueue) {
    var sum = 0
    FreeObserver().observe(numbers).receive(on: .async(queue)) { sum += $0 }
}
