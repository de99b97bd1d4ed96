// SPDX-License-Identifier: MIT
// error: A DispatchQueue is one where SwiftObserverDispatch is imported
// So does one that is waited for.

import Dispatch
import SwiftObserver

func watch(_ number: Var<Int>, by dog: FreeObserver) {
    dog.observe(number).receive(on: .sync(DispatchQueue.global())) { print($0) }
}
