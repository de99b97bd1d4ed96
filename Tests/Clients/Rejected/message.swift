// SPDX-License-Identifier: MIT
// error: type 'Letter' does not conform to the 'Sendable' protocol
// A message that is not Sendable does not change threads.

import SwiftObserver

final class Letter {}

func watch(_ letters: Messenger<Letter>, on queue: some DeliveryQueue) {
    FreeObserver().observe(letters, on: .async(queue)) { _ in }
}
