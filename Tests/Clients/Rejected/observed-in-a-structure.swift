// SPDX-License-Identifier: MIT
// error: @Observed is for properties of classes: copies of a structure would share the value
// A structure keeps its values to itself.

import SwiftObserver

struct State { @Observed var count = 0 }

func increase(_ state: State) -> State {
    var state = state
    state.count += 1
    return state
}
