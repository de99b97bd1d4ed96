// SPDX-License-Identifier: MIT
// error: type 'Letter' does not conform to the 'Sendable' protocol
// A message that is not Sendable is not replayed on a queue.

import SwiftObserver

final class Letter {}

func watch(_ letters: Replayer<Messenger<Letter>>, on queue: some DeliveryQueue) {
    FreeObserver().observe(letters, beginningOn: queue).receive { _ in }
}
