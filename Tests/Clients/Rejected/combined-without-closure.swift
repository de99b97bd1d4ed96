// SPDX-License-Identifier: MIT
// error: several observables are observed by one closure: observe(a, b) { a, b in ... }
// A combined observation is not transformed.

import SwiftObserver

func watch(_ a: Var<Int>, _ b: Var<Int>, by dog: FreeObserver) {
    dog.observe(a, b).map { $0.new + $1.new }.receive { print($0) }
}
