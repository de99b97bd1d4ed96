// SPDX-License-Identifier: MIT
// Counts what is allocated for each message that is sent. Prints one JSON object a line.

import CAllocations
import CMeasure
import Contestants

let contestants: [(name: String, type: any Scene.Type)] = [
    ("SwiftObserver", MessengerScene.self),
    ("SwiftObserver, ad hoc map and filter", AdHocChains.self),
    ("SwiftObserver, standing map and filter", StandingChains.self),
    ("NotificationCenter", NotificationScene.self),
    ("Observation, re-armed", ObservationScene.self),
]

measure_park_a_thread()
let messages = 1000
for size in [0, 1, 10, 100] {
    let sums = UnsafeMutablePointer<Int>.allocate(capacity: size + 1)
    sums.initialize(repeating: 0, count: size + 1)
    for contestant in contestants {
        let scene = contestant.type.init()
        for index in 0..<size { scene.observe(sums + index) }
        scene.send(1)
        let before = allocations_so_far()
        scene.send(messages)
        let after = allocations_so_far()
        measure_report(
            "Swift, allocations for a message", contestant.name, size, Double(after - before) / Double(messages),
            "allocations")
    }
}
