// SPDX-License-Identifier: MIT

import Synchronization

/// Finds out which published properties are read, and so where a key path leads.
///
/// - Note: `@unchecked Sendable`: only the thread that probes touches what it finds.
final class Probe: @unchecked Sendable {
    @TaskLocal private static var current: Probe?
    /// How many threads probe. While none does, reading a property costs no more than a look at this.
    private static let count = Atomic<Int>(0)

    private var found: [(property: AnyObject, keyPath: AnyKeyPath)] = []

    /// The published properties that a closure reads.
    static func properties(_ read: () -> Void) -> [(property: AnyObject, keyPath: AnyKeyPath)] {
        let probe = Probe()
        count.add(1, ordering: .relaxed)
        defer { count.subtract(1, ordering: .relaxed) }
        $current.withValue(probe) { read() }
        return probe.found
    }

    /// Call this when a property is read.
    static func note(_ property: AnyObject, _ keyPath: AnyKeyPath) {
        guard count.load(ordering: .relaxed) > 0 else { return }
        current?.found.append((property, keyPath))
    }
}
