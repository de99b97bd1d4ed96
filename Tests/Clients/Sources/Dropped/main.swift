// SPDX-License-Identifier: MIT
// A program that drops a transform. A debug build tells its author where, a release build does not.

import SwiftObserver

let number = Var(1), observer = FreeObserver()
observer.observe(number.new().map { $0 * 2 }) { print("never", $0) }
observer.observe(number).new().map { $0 * 2 }.receive { print("always", $0) }
number <- 2
