// SPDX-License-Identifier: MIT
// error: 'nil' is not compatible with expected argument type 'any Actor'
// What is tracked is read on an actor, so there has to be one.

import SwiftObserverObservation

func track() -> Tracked<Int> { Tracked { 1 } }
