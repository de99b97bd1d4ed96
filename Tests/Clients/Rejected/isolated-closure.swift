// SPDX-License-Identifier: MIT
// error: loses global actor 'MainActor'
// A handler of the main actor is not called elsewhere because it was handed over elsewhere.

import SwiftObserver

func watch(_ numbers: Messenger<Int>, with handler: @escaping @MainActor (Int) -> Void) {
    FreeObserver().observe(numbers, receive: handler)
}
