// SPDX-License-Identifier: MIT

import Foundation

/// Runs a closure on several threads at once and returns when it has returned on all of them.
public func onThreads(_ count: Int, _ body: @escaping @Sendable (_ index: Int) -> Void) {
    let start = Gate(), ready = DispatchSemaphore(value: 0), done = DispatchSemaphore(value: 0)
    for index in 0..<count {
        Thread.detachNewThread {
            ready.signal()
            start.pass()
            body(index)
            done.signal()
        }
    }
    for _ in 0..<count { ready.wait() }
    start.open()
    for _ in 0..<count { done.wait() }
}

/// Begins to run a closure on a thread of its own.
///
/// - Returns: A gate that opens when the closure has returned.
@discardableResult
public func onOtherThread(_ body: @escaping @Sendable () -> Void) -> Gate {
    let done = Gate()
    Thread.detachNewThread {
        body()
        done.open()
    }
    return done
}

/// Closed at first. Once opened, it lets everybody pass.
///
/// - Note: `@unchecked Sendable`: `isOpen` is guarded by the condition.
public final class Gate: @unchecked Sendable {
    private let condition = NSCondition()
    private var isOpen = false

    public init() {}

    public func open() {
        condition.lock()
        isOpen = true
        condition.broadcast()
        condition.unlock()
    }

    /// Waits until the gate is open. A test that waits for half a minute has failed.
    public func pass() {
        precondition(opens(within: 30), "a gate stayed closed")
    }

    /// Waits until the gate is open, as `pass` does, and blocks no thread of Swift concurrency meanwhile: what
    /// opens it may need one.
    public func opened() async {
        await withCheckedContinuation { continuation in
            onOtherThread { [self] in
                pass()
                continuation.resume()
            }
        }
    }

    /// Whether the gate is open or opens within some seconds. Short times are for what must not happen.
    public func opens(within seconds: Double) -> Bool {
        condition.lock()
        defer { condition.unlock() }
        let limit = Date(timeIntervalSinceNow: seconds)
        while !isOpen {
            if !condition.wait(until: limit) { return isOpen }
        }
        return true
    }
}
