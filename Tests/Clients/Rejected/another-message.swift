// SPDX-License-Identifier: MIT
// error: the closure does not take what this observable sends
// A closure takes what the observable sends.

import SwiftObserver

func watch(_ numbers: Messenger<Int>, by dog: FreeObserver) {
    dog.observe(numbers) { (text: String) in print(text) }
}
