// SPDX-License-Identifier: MIT

import CMeasure

/// A name, and what does a number of units of work.
struct Subject {
    let name: String
    let run: (_ count: Int) -> Void

    func time(_ count: Int) -> Double {
        let begin = measure_nanoseconds()
        run(count)
        return measure_nanoseconds() - begin
    }

    /// How many units fill a slice. The work done here warms up, too.
    func unitsInASlice() -> Int {
        /// What happens only once is in one of the two.
        func leastTime(_ count: Int) -> Double { min(time(count), time(count)) }
        var count = 1
        var taken = leastTime(count)
        while taken < measure_slice() / 4, count < 1 << 40 {
            count *= 2
            taken = leastTime(count)
        }
        return max(1, Int(Double(count) * measure_slice() / taken))
    }
}

let repeats = 11

/// Measures subjects in turn, so that a drift of the machine's speed meets all of them.
///
/// - Returns: Nanoseconds per unit, the medians of the repeats.
func measure(_ subjects: [Subject]) -> [Double] {
    let counts = subjects.map { $0.unitsInASlice() }
    var times = subjects.map { _ in [Double]() }
    for _ in 0..<repeats {
        for (index, subject) in subjects.enumerated() {
            times[index].append(subject.time(counts[index]) / Double(counts[index]))
        }
    }
    return times.map { $0.sorted()[repeats / 2] }
}

func report(_ measure: String, _ subject: String, _ size: Int, _ value: Double, _ unit: String) {
    measure_report(measure, subject, size, value, unit)
}
