// SPDX-License-Identifier: MIT
// error: a variable sends updates, with an old value and a new one: observe(variable).new { value in ... }
// An update is not taken for the value.

import SwiftObserver

func watch(_ number: Var<Int>, by dog: FreeObserver) {
    dog.observe(number) { number in print(number + 1) }
}
