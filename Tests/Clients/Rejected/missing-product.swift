// SPDX-License-Identifier: MIT
// error: A DispatchQueue is one where SwiftObserverDispatch is imported
// A queue of Dispatch needs a module of its own.

import Dispatch
import SwiftObserver

func watch(_ number: Var<Int>, by dog: FreeObserver) {
    dog.observe(number, on: .async(DispatchQueue.global())) { print($0) }
}
