// SPDX-License-Identifier: MIT

import Foundation

/// Writes down what it is told, on any thread, in order.
///
/// - Note: `@unchecked Sendable`: the list is guarded by the lock.
public final class Recorder<Entry>: @unchecked Sendable {
    private let lock = NSLock()
    private var list: [Entry] = []

    public init() {}

    public func record(_ entry: Entry) {
        lock.withLock { list.append(entry) }
    }

    public var entries: [Entry] { lock.withLock { list } }
    public var count: Int { lock.withLock { list.count } }
}

extension Recorder where Entry == Void {
    public func record() { record(()) }
}
