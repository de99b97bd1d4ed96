// SPDX-License-Identifier: MIT

import Observation

@Observable final class Person {
    var name = "Ann"
    var nickname = "A"
    var usesNickname = false
    var scores: [Int] = []
    var shownName: String { usesNickname ? nickname : name }
}

@MainActor @Observable final class Model {
    var count = 0
}
