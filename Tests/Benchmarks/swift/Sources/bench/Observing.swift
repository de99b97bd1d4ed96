// SPDX-License-Identifier: MIT

import CMeasure
import Contestants

/// What it costs to begin and to stop an observation beside others.
func reportObserving(_ contestants: [(name: String, type: any Leaving.Type)]) {
    for others in [0, 1000] {
        let sum = UnsafeMutablePointer<Int>.allocate(capacity: 1)
        sum.initialize(to: 0)
        let subjects = contestants.map { contestant in
            let scene = contestant.type.init()
            for _ in 0..<others { scene.observe(sum) }
            return Subject(name: contestant.name) { scene.observeAndStop($0, sum) }
        }
        for (subject, time) in zip(subjects, measure(subjects)) {
            report("Swift, observe + stop", subject.name, others, time, "ns")
        }
    }
}

/// How much memory an observation takes, with its closure and what that captures: one pointer.
func reportMemory(_ contestants: [(name: String, type: any Scene.Type)]) {
    let sum = UnsafeMutablePointer<Int>.allocate(capacity: 1)
    sum.initialize(to: 0)
    for size in [1000, 10_000, 100_000] {
        for contestant in contestants {
            let scene = contestant.type.init()
            let before = measure_bytes_in_use()
            for _ in 0..<size { scene.observe(sum) }
            let after = measure_bytes_in_use()
            withExtendedLifetime(scene) {}
            report(
                "Swift, memory of an observation", contestant.name, size, Double(after - before) / Double(size), "bytes"
            )
        }
    }
}
