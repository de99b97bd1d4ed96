// SPDX-License-Identifier: MIT

import Foundation

/// What is read of a source: two numbers of which the second may be unused, or a decimal.
struct Sample: Equatable {
    var part: UInt64 = 0
    var whole: UInt64 = 0
    var load = 0.0
}

/// A file of /proc: what it must contain, and how that is shown.
struct Source: Sendable {
    let name: String
    let file: String
    let expected: String
    /// `nil` if the lines are malformed.
    let parse: @Sendable ([Line]) -> Sample?
    let show: @Sendable (_ now: Sample, _ before: Sample?, _ interval: Double) -> String

    static let all = [cpu, memory, load, network]

    static let cpu = Source(
        name: "cpu", file: "stat", expected: "\"cpu\" and at least four numbers",
        parse: { lines in
            guard let line = lines.first, line.begins(with: "cpu"), line.words[0] == "cpu" else { return nil }
            let words = line.words.dropFirst()
            let numbers = words.compactMap(\.number)
            // Guest time, the numbers behind the eighth, is contained in user time already.
            guard numbers.count >= 4, numbers.count == words.count, let whole = sum(numbers.prefix(8)) else {
                return nil
            }
            return Sample(part: whole - numbers[3] - (numbers.count > 4 ? numbers[4] : 0), whole: whole)
        },
        show: { now, before, _ in
            // All counters were zero when the machine started.
            let busy = difference(now.part, before?.part ?? 0)
            let all = difference(now.whole, before?.whole ?? 0)
            return String(format: "%.1f %%", all > 0 ? 100.0 * busy / all : 0.0)
        })

    static let memory = Source(
        name: "memory", file: "meminfo", expected: "MemTotal and MemAvailable",
        parse: { lines in
            func number(_ name: String) -> UInt64? {
                lines.first { $0.begins(with: name) }?.dropping(name).words.first?.number
            }
            guard let total = number("MemTotal:"), let available = number("MemAvailable:"),
                total > 0, available <= total
            else { return nil }
            return Sample(part: total - available, whole: total)
        },
        show: { now, _, _ in String(format: "%.1f %%", 100.0 * Double(now.part) / Double(now.whole)) })

    static let load = Source(
        name: "load", file: "loadavg", expected: "a load average",
        parse: { lines in lines.first?.words.first?.decimal.map { Sample(load: $0) } },
        show: { now, _, _ in String(format: "%.2f", now.load) })

    static let network = Source(
        name: "network", file: "net/dev", expected: "16 numbers after each interface",
        parse: { lines in
            guard lines.count >= 2 else { return nil }
            var bytes: [UInt64] = []
            for line in lines.dropFirst(2) {
                guard let (name, counts) = line.aroundLastColon else { return nil }
                let numbers = counts.words.compactMap(\.number)
                guard numbers.count == 16, counts.words.count == 16 else { return nil }
                let isLoopback = name.words.count == 1 && name.words[0] == "lo"
                if !isLoopback { bytes += [numbers[0], numbers[8]] }
            }
            return sum(bytes).map { Sample(part: $0) }
        },
        show: { now, before, interval in
            let bytes = before.map { difference(now.part, $0.part) } ?? 0
            // Bytes in a millisecond are kilobytes in a second.
            return String(format: "%.1f kB/s", bytes > 0 ? bytes / interval : 0.0)
        })
}

/// Counters start again where a device or a processor comes back; then the difference is negative.
private func difference(_ now: UInt64, _ before: UInt64) -> Double {
    now >= before ? Double(now - before) : -Double(before - now)
}
