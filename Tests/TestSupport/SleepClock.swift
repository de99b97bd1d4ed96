// SPDX-License-Identifier: MIT

import Foundation

/// A clock on which tasks sleep until a test lets time pass. The test can wait for them to sleep.
///
/// - Note: `@unchecked Sendable`: everything is guarded by the lock.
public final class SleepClock: Clock, @unchecked Sendable {
    public struct Instant: InstantProtocol {
        public var offset: Duration
        public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        public func duration(to other: Instant) -> Duration { other.offset - offset }
        public static func < (one: Instant, other: Instant) -> Bool { one.offset < other.offset }
    }

    private struct Sleeper {
        let id: Int
        let end: Instant
        let continuation: CheckedContinuation<Void, any Error>
    }

    private let lock = NSLock()
    private var time = Instant(offset: .zero)
    private var sleepers: [Sleeper] = []
    private var cancelled: Set<Int> = []
    private var lastID = 0
    private var awaited: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []

    public init() {}

    public var now: Instant { lock.withLock { time } }
    public var minimumResolution: Duration { .nanoseconds(1) }

    public func sleep(until end: Instant, tolerance: Duration?) async throws {
        let id = lock.withLock {
            lastID += 1
            return lastID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { begin(Sleeper(id: id, end: end, continuation: $0)) }
        } onCancel: {
            cancel(id)
        }
    }

    /// Waits until so many tasks sleep.
    public func sleep(of count: Int) async {
        await withCheckedContinuation { continuation in
            let isSo = lock.withLock {
                if sleepers.count >= count { return true }
                awaited.append((count, continuation))
                return false
            }
            if isSo { continuation.resume() }
        }
    }

    public var sleeperCount: Int { lock.withLock { sleepers.count } }

    /// Lets time pass, and wakes those whose time has come.
    public func advance(by duration: Duration) {
        let woken = lock.withLock {
            time = time.advanced(by: duration)
            defer { sleepers.removeAll { $0.end <= time } }
            return sleepers.filter { $0.end <= time }
        }
        for one in woken { one.continuation.resume() }
    }

    private func begin(_ sleeper: Sleeper) {
        enum Outcome { case sleeps, isOver, isCancelled }
        let (outcome, told) = lock.withLock { () -> (Outcome, [CheckedContinuation<Void, Never>]) in
            if cancelled.remove(sleeper.id) != nil { return (.isCancelled, []) }
            if sleeper.end <= time { return (.isOver, []) }
            sleepers.append(sleeper)
            defer { awaited.removeAll { $0.count <= sleepers.count } }
            return (.sleeps, awaited.filter { $0.count <= sleepers.count }.map(\.continuation))
        }
        switch outcome {
        case .sleeps: for one in told { one.resume() }
        case .isOver: sleeper.continuation.resume()
        case .isCancelled: sleeper.continuation.resume(throwing: CancellationError())
        }
    }

    private func cancel(_ id: Int) {
        let sleeper = lock.withLock { () -> Sleeper? in
            guard let index = sleepers.firstIndex(where: { $0.id == id }) else {
                cancelled.insert(id)
                return nil
            }
            return sleepers.remove(at: index)
        }
        sleeper?.continuation.resume(throwing: CancellationError())
    }
}
