// SPDX-License-Identifier: MIT

import Synchronization

/// A clock, and what waits for it (laws 36 and 37).
///
///     wait --set(due, order)--> [heap: the first due, then the first to wait] --run--> wake
///
/// Times are nanoseconds. One that is turned by hand stands still until `advance`. Any other asks `wakeAt` for a call of
/// `run` when the first of those that wait is due, and for none where nothing waits.
///
/// One thread at a time wakes what is due; others that find it there leave that to it.
///
/// - Note: `@unchecked Sendable`: everything that changes is guarded, and both functions may be called on any thread.
public final class TimerQueue: @unchecked Sendable {
    private let state = Guarded(State())
    /// The present time; `nil` where it is turned by hand.
    private let time: (() -> Int64)?
    /// Called with the time at which `run` is to be called, or `never`: without a lock, one call at a time.
    private let wakeAt: ((Int64) -> Void)?

    /// The time that does not come.
    public static var never: Int64 { .max }

    fileprivate struct State {
        /// The present time where it is turned by hand, and how far it is to be turned.
        var now: Int64 = 0
        var target: Int64 = 0
        var heap: [Wait] = []
        /// How many have begun to wait.
        var order: UInt64 = 0
        /// For when `run` has been asked for.
        var armed = TimerQueue.never
        var isArming = false
        var isRunning = false
    }

    private let hasEnded = Atomic(false)

    /// Whether the loop that this belongs to is gone, and nothing will be due any more.
    var isOver: Bool { hasEnded.load(ordering: .relaxed) }

    /// Makes one that is turned by hand.
    public init() {
        time = nil
        wakeAt = nil
    }

    public init(now: @escaping () -> Int64, wakeAt: @escaping (Int64) -> Void) {
        time = now
        self.wakeAt = wakeAt
    }

    public var isTurnedByHand: Bool { time == nil }

    /// The present time.
    public var now: Int64 { time?() ?? state.withLock { $0.now } }

    /// How many wait.
    public var count: Int { state.withLock { $0.heap.count } }

    /// When what begins to wait now is due, and its place among all that are due then.
    ///
    /// - Parameter start: when its time begins; `nil`: now.
    func deadline(after start: Int64?, _ interval: Int64) -> Deadline {
        let start = start ?? time?()
        return state.withLock { state in
            state.order += 1
            let (sum, isTooLarge) = (start ?? state.now).addingReportingOverflow(interval)
            return Deadline(due: isTooLarge ? Self.never : sum, order: state.order)
        }
    }

    /// Lets a wait begin, or change.
    ///
    /// - Returns: False if the loop that this belongs to is gone, and nothing will be due any more.
    func set(_ wait: Wait, _ deadline: Deadline) -> Bool {
        let isSet = state.withLock { state in
            if isOver { return false }
            if wait.place < 0 {
                wait.place = state.heap.count
                state.heap.append(wait)
            }
            wait.deadline = deadline
            state.restore(wait.place)
            return true
        }
        arm()
        return isSet
    }

    /// Ends a wait, if there is one.
    func cancel(_ wait: Wait) {
        // Released here, without the lock.
        let cancelled = state.withLock { state -> Wait? in wait.place < 0 ? nil : state.remove(wait.place) }
        if cancelled != nil { arm() }
    }

    /// Wakes what is due now. What is turned by hand wakes nothing here.
    ///
    /// - Parameters:
    ///   - most: how many at most.
    ///   - isSpent: whether the call that was asked for is this one, and has to be asked for again.
    /// - Returns: How many were woken, and whether all that came of it was delivered.
    @discardableResult
    public func run(most: Int = .max, spent isSpent: Bool = true) -> (woken: Int, isDelivered: Bool) {
        guard let now = time?(), begin(turningBy: nil) else { return (0, true) }
        var woken = 0, isDelivered = true
        while woken < most, let next = next(until: now) {
            woken += 1
            if !next.wake() { isDelivered = false }
        }
        state.withLock {
            $0.isRunning = false
            if isSpent { $0.armed = Self.never }
        }
        arm()
        return (woken, isDelivered)
    }

    /// Turns on what is turned by hand, and wakes what is due until then, each at its time. Inside of what is woken it only
    /// says how much further it is to be turned.
    ///
    /// - Returns: Whether all that came of it was delivered.
    @discardableResult
    public func advance(by interval: Int64) -> Bool {
        guard begin(turningBy: interval) else { return true }
        var isDelivered = true
        while let next = next(until: nil) {
            if !next.wake() { isDelivered = false }
        }
        return isDelivered
    }

    /// The loop is gone: what waits is dropped, and nothing waits any more.
    public func end() {
        let dropped = state.withLock { state in
            hasEnded.store(true, ordering: .relaxed)
            defer { state.heap = [] }
            for wait in state.heap { wait.place = -1 }
            return state.heap
        }
        withExtendedLifetime(dropped) {}
        arm()
    }

    /// - Returns: Whether this thread is the one that wakes.
    private func begin(turningBy interval: Int64?) -> Bool {
        state.withLock { state in
            if let interval {
                let (sum, isTooLarge) = state.target.addingReportingOverflow(interval)
                state.target = isTooLarge ? Self.never : sum
            }
            defer { state.isRunning = true }
            return !state.isRunning
        }
    }

    /// The next that is due.
    private func next(until now: Int64?) -> Wait? {
        state.withLock { state -> Wait? in
            guard let first = state.heap.first, first.deadline.due <= now ?? state.target,
                first.deadline.due != Self.never
            else {
                if now == nil {
                    state.now = state.target
                    state.isRunning = false
                }
                return nil
            }
            if now == nil { state.now = max(state.now, first.deadline.due) }
            return state.remove(0)
        }
    }

    /// Asks for a call of `run` when the first is due. One thread asks at a time, so that the last one asked is right.
    private func arm() {
        guard let wakeAt else { return }
        var isMine = false
        while true {
            let wanted = state.withLock { state -> Int64? in
                if !isMine, state.isArming { return nil }
                let wanted = state.heap.first?.deadline.due ?? Self.never
                // What is woken may wait again: `run` asks when it is done.
                state.isArming = !state.isRunning && state.armed != wanted
                if state.isArming { state.armed = wanted }
                return state.isArming ? wanted : nil
            }
            guard let wanted else { return }
            isMine = true
            wakeAt(wanted)
        }
    }
}

/// When something is due, and when it began to wait.
struct Deadline {
    let due: Int64
    let order: UInt64

    static var none: Deadline { Deadline(due: TimerQueue.never, order: 0) }

    func isBefore(_ other: Deadline) -> Bool { due != other.due ? due < other.due : order < other.order }
}

/// Something that waits for a time, or does not.
final class Wait {
    // Guarded by the queue.
    fileprivate(set) var deadline = Deadline.none
    /// Where it stands in the heap; -1 if it does not wait.
    fileprivate(set) var place = -1

    /// Called when it is due, without a lock. Returns whether all that came of it was delivered.
    let wake: () -> Bool

    init(_ wake: @escaping () -> Bool) { self.wake = wake }
}

// A heap: none is due before the one above it.
extension TimerQueue.State {
    fileprivate mutating func remove(_ place: Int) -> Wait {
        let removed = heap[place], last = heap.removeLast()
        if place < heap.count {
            heap[place] = last
            last.place = place
            restore(place)
        }
        removed.place = -1
        return removed
    }

    /// Brings one into its place, up or down.
    fileprivate mutating func restore(_ place: Int) {
        var place = place
        while place > 0, heap[place].deadline.isBefore(heap[(place - 1) / 2].deadline) {
            exchange(place, (place - 1) / 2)
            place = (place - 1) / 2
        }
        while true {
            var first = place
            for child in place * 2 + 1...place * 2 + 2
            where child < heap.count && heap[child].deadline.isBefore(heap[first].deadline) {
                first = child
            }
            if first == place { return }
            exchange(place, first)
            place = first
        }
    }

    private mutating func exchange(_ one: Int, _ other: Int) {
        heap.swapAt(one, other)
        heap[one].place = one
        heap[other].place = other
    }
}
