// SPDX-License-Identifier: MIT

internal import CPlatform
import Synchronization

/// Where the messages of an observation wait for a task to ask for them.
///
/// - Note: `@unchecked Sendable`: everything is guarded by the monitor. Messages are let go, and tasks
///   resumed, outside of it.
@usableFromInline
final class MessageBuffer<Message: Sendable>: @unchecked Sendable {
    @usableFromInline let monitor = Monitor()
    @usableFromInline let buffering: Buffering
    @usableFromInline @exclusivity(unchecked) var messages: [Message] = []
    /// How many messages at the front have been taken.
    @usableFromInline @exclusivity(unchecked) var taken = 0
    /// Whether there may be some. Set and cleared with the monitor held.
    @usableFromInline let hasSome = Atomic(false)
    @usableFromInline @exclusivity(unchecked) var asking: CheckedContinuation<Message?, Never>?
    @usableFromInline @exclusivity(unchecked) var isOver = false
    /// A replay comes before a task can ask for it, so the sender of one does not wait.
    @usableFromInline @exclusivity(unchecked) var hasBegun = false

    @usableFromInline
    init(_ buffering: Buffering) {
        precondition(buffering.limit ?? 1 > 0, "a buffer has room for one message at least")
        self.buffering = buffering
    }

    /// Takes in a message.
    @inlinable
    func put(_ message: Message) {
        monitor.enter()
        if case .waiting(let limit) = buffering {
            while hasBegun, !isOver, asking == nil, count >= limit { monitor.wait() }
        }
        if isOver { return monitor.leave() }
        if let asking {
            self.asking = nil
            monitor.leave()
            return asking.resume(returning: message)
        }
        let dropped = append(message)
        monitor.leave()
        withExtendedLifetime(dropped) {}
    }

    /// Gives the next message at once if there is one, and otherwise when it comes; `nil` when none will.
    @inlinable
    func next(_ continuation: CheckedContinuation<Message?, Never>) {
        monitor.enter()
        let next = popFirst()
        if next == nil, !isOver {
            precondition(asking == nil, "two tasks ask for the next message at once")
            asking = continuation
            monitor.announce()
            return monitor.leave()
        }
        monitor.announce()
        monitor.leave()
        continuation.resume(returning: next)
    }

    /// Gives the next messages, in their order from the last one on: all that wait, or, where they have little room, the
    /// first one.
    ///
    /// - Parameter messages: is empty, and its memory is used for those that come.
    @inlinable
    func takeNow(_ messages: inout [Message]) {
        monitor.enter()
        if buffering.limit != nil {
            if let first = popFirst() { messages.append(first) }
            monitor.announce()
        } else if count > 0 {
            swap(&messages, &self.messages)
            let taken = taken
            self.taken = 0
            hasSome.store(false, ordering: .relaxed)
            monitor.leave()
            if taken > 0 { messages.removeFirst(taken) }
            messages.reverse()
            return
        }
        monitor.leave()
    }

    /// Waits for some microseconds at most until messages may be there. What comes so soon costs neither its sender nor the
    /// task a change of threads; and where many come, this lets them gather, so that the two do not meet at each of them.
    @usableFromInline
    func spin() {
        for round in 0..<128 where round < 64 || !hasSome.load(ordering: .relaxed) { platform_pause() }
    }

    @usableFromInline
    func begin() {
        monitor.enter()
        hasBegun = true
        monitor.leave()
    }

    /// Nothing more comes in. What waits can be asked for, unless it is not wanted any more.
    @inlinable
    func finish(discarding: Bool = false) {
        monitor.enter()
        isOver = true
        let asking = asking
        self.asking = nil
        let discarded = discarding ? messages : []
        if discarding {
            messages = []
            taken = 0
        }
        monitor.announce()
        monitor.leave()
        asking?.resume(returning: nil)
        withExtendedLifetime(discarded) {}
    }

    @inlinable var count: Int { messages.count - taken }

    /// The monitor is held.
    ///
    /// - Returns: What has no room.
    @inlinable
    func append(_ message: Message) -> Message? {
        switch buffering {
        case .oldest(let limit) where count >= limit: return message
        case .newest(let limit) where count >= limit:
            messages.append(message)
            return popFirst()
        default:
            messages.append(message)
            if count == 1 { hasSome.store(true, ordering: .relaxed) }
            return nil
        }
    }

    /// The monitor is held.
    @inlinable
    func popFirst() -> Message? {
        guard count > 0 else { return nil }
        let first = messages[taken]
        taken += 1
        if taken == messages.count {
            messages.removeAll(keepingCapacity: taken <= 64)
            taken = 0
            hasSome.store(false, ordering: .relaxed)
        } else if taken > 32, taken > messages.count / 2 {
            messages.removeFirst(taken)
            taken = 0
        }
        return first
    }
}

/// A lock that threads can wait under for a change.
@usableFromInline
final class Monitor: @unchecked Sendable {
    private let monitor: OpaquePointer

    @usableFromInline
    init() {
        guard let monitor = platform_monitor_new() else { fatalError("out of memory") }
        self.monitor = monitor
    }

    deinit { platform_monitor_free(monitor) }

    @usableFromInline func enter() { platform_monitor_enter(monitor) }
    @usableFromInline func leave() { platform_monitor_leave(monitor) }
    @usableFromInline func announce() { platform_monitor_announce(monitor) }
    @usableFromInline func wait() { platform_monitor_wait(monitor, 60_000) }
}
