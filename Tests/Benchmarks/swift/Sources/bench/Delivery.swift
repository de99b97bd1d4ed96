// SPDX-License-Identifier: MIT

import Contestants

/// What it costs to deliver a message to each of a number of observers.
func reportDelivery(_ measureName: String, _ contestants: [(name: String, type: any Scene.Type)], sizes: [Int]) {
    for size in sizes {
        let sums = UnsafeMutablePointer<Int>.allocate(capacity: size + 1)
        sums.initialize(repeating: 0, count: size + 1)
        let subjects = contestants.map { contestant in
            let scene = contestant.type.init()
            for index in 0..<size { scene.observe(sums + index) }
            return Subject(name: contestant.name, run: scene.send)
        }
        let divisor = max(1, size)
        for (subject, time) in zip(subjects, measure(subjects)) {
            report(measureName, subject.name, size, time / Double(divisor), "ns")
        }
    }
}
