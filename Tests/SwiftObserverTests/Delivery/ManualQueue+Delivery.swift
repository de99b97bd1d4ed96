// SPDX-License-Identifier: MIT

import SwiftObserver
import TestSupport

extension ManualQueue: DeliveryQueue {}

/// A queue that runs its jobs at once, on the thread that waits.
struct CallingThread: SynchronousDeliveryQueue {
    func runLater(_ job: @escaping @Sendable () -> Void) { job() }
    func runAndWait(_ job: () -> Void) { job() }
}

/// An observer that several threads use.
final class Cat: Observer, Sendable {
    let receiver = Receiver()
}

/// An object whose only content no test looks at.
struct Sealed: @unchecked Sendable {
    let content: Mortal
}

/// Lines that are written down somewhere, and read as soon as there are enough.
struct Lines {
    private(set) var all: [Int] = []
    private var awaited: (count: Int, reader: CheckedContinuation<[Int], Never>)?

    mutating func write(_ line: Int) {
        all.append(line)
        guard let awaited, all.count >= awaited.count else { return }
        self.awaited = nil
        awaited.reader.resume(returning: all)
    }

    mutating func read(_ count: Int, _ reader: CheckedContinuation<[Int], Never>) {
        if all.count >= count { reader.resume(returning: all) } else { awaited = (count, reader) }
    }
}
