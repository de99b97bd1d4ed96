// SPDX-License-Identifier: MIT

import CMeasure

/// A name, and what does a number of units of work.
struct Subject {
    let name: String
    let run: (_ count: Int) -> Void
}

let repeats = 11

/// Measures subjects in turn, so that a drift of the machine's speed meets all of them.
///
/// - Returns: Nanoseconds per unit, the medians of the repeats.
func measure(_ subjects: [Subject], count: Int) -> [Double] {
    var times = subjects.map { _ in [Double]() }
    for repetition in -1..<repeats {
        for (index, subject) in subjects.enumerated() {
            let begin = measure_nanoseconds()
            subject.run(count)
            let time = (measure_nanoseconds() - begin) / Double(count)
            if repetition >= 0 { times[index].append(time) }
        }
    }
    return times.map { $0.sorted()[repeats / 2] }
}

func report(_ measure: String, _ subject: String, _ size: Int, _ value: Double, _ unit: String) {
    measure_report(measure, subject, size, value, unit)
}
