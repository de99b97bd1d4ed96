// SPDX-License-Identifier: MIT

internal import CPlatform

/// Where the messages of an observation wait for a task to ask for them.
///
/// - Note: `@unchecked Sendable`: everything is guarded by the monitor. Messages are let go, and tasks
///   resumed, outside of it.
final class MessageBuffer<Message: Sendable>: @unchecked Sendable {
    private let monitor: OpaquePointer
    private let buffering: Buffering
    private var messages: [Message] = []
    /// How many messages at the front have been taken.
    private var taken = 0
    private var asking: CheckedContinuation<Message?, Never>?
    private var isOver = false
    /// A replay comes before a task can ask for it, so the sender of one does not wait.
    private var hasBegun = false

    init(_ buffering: Buffering) {
        precondition(buffering.limit ?? 1 > 0, "a buffer has room for one message at least")
        guard let monitor = platform_monitor_new() else { fatalError("out of memory") }
        self.monitor = monitor
        self.buffering = buffering
    }

    deinit { platform_monitor_free(monitor) }

    /// Takes in a message.
    func put(_ message: Message) {
        platform_monitor_enter(monitor)
        if case .waiting(let limit) = buffering {
            while hasBegun, !isOver, asking == nil, count >= limit { platform_monitor_wait(monitor, 60_000) }
        }
        if isOver { return platform_monitor_leave(monitor) }
        if let asking {
            self.asking = nil
            platform_monitor_leave(monitor)
            return asking.resume(returning: message)
        }
        let dropped = append(message)
        platform_monitor_leave(monitor)
        withExtendedLifetime(dropped) {}
    }

    /// Gives the next message at once if there is one, and otherwise when it comes; `nil` when none will.
    func next(_ continuation: CheckedContinuation<Message?, Never>) {
        platform_monitor_enter(monitor)
        let next = popFirst()
        if next == nil, !isOver {
            precondition(asking == nil, "two tasks ask for the next message at once")
            asking = continuation
            platform_monitor_announce(monitor)
            return platform_monitor_leave(monitor)
        }
        platform_monitor_announce(monitor)
        platform_monitor_leave(monitor)
        continuation.resume(returning: next)
    }

    func begin() {
        platform_monitor_enter(monitor)
        hasBegun = true
        platform_monitor_leave(monitor)
    }

    /// Nothing more comes in. What waits can be asked for, unless it is not wanted any more.
    func finish(discarding: Bool = false) {
        platform_monitor_enter(monitor)
        isOver = true
        let asking = asking
        self.asking = nil
        let discarded = discarding ? messages : []
        if discarding {
            messages = []
            taken = 0
        }
        platform_monitor_announce(monitor)
        platform_monitor_leave(monitor)
        asking?.resume(returning: nil)
        withExtendedLifetime(discarded) {}
    }

    private var count: Int { messages.count - taken }

    /// The monitor is held.
    ///
    /// - Returns: What has no room.
    private func append(_ message: Message) -> Message? {
        switch buffering {
        case .oldest(let limit) where count >= limit: return message
        case .newest(let limit) where count >= limit:
            messages.append(message)
            return popFirst()
        default:
            messages.append(message)
            return nil
        }
    }

    /// The monitor is held.
    private func popFirst() -> Message? {
        guard count > 0 else { return nil }
        let first = messages[taken]
        taken += 1
        if taken == messages.count {
            messages.removeAll(keepingCapacity: taken <= 64)
            taken = 0
        } else if taken > 32, taken > messages.count / 2 {
            messages.removeFirst(taken)
            taken = 0
        }
        return first
    }
}
