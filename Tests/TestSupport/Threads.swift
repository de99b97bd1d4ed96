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

/// Closed at first. Once opened, it lets every thread pass.
///
/// - Note: `@unchecked Sendable`: `isOpened` is guarded by the condition.
public final class Gate: @unchecked Sendable {
    private let condition = NSCondition()
    private var isOpened = false

    public init() {}

    public func open() {
        condition.lock()
        isOpened = true
        condition.broadcast()
        condition.unlock()
    }

    public var isOpen: Bool { condition.withLock { isOpened } }

    /// Waits until the gate is open, as long as that takes.
    public func pass() {
        condition.lock()
        while !isOpened { condition.wait() }
        condition.unlock()
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

}

/// Lets other threads run on until the gate is open, or until they have had ample opportunity.
///
/// What a test expects afterwards holds either way: the pause only makes it likely that a violation shows.
public func giveWay(until gate: Gate = Gate()) {
    // Few turns: where every processor is busy, each costs a time slice.
    for _ in 0..<10 {
        for _ in 0..<1_000 where gate.isOpen { return }
        sched_yield()
    }
}
