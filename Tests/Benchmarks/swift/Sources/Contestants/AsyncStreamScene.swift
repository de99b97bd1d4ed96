// SPDX-License-Identifier: MIT

import Foundation

/// An asynchronous sequence for each observer, as Swift has no sequence of its own that several iterate. A send is over
/// when all of its messages have arrived, so the way through the executor is measured, too.
public final class AsyncStreamScene: Scene {
    private var continuations: [AsyncStream<Int>.Continuation] = []
    private let arrived = DispatchSemaphore(value: 0)

    public init() {}

    deinit { for continuation in continuations { continuation.finish() } }

    public func observe(_ sum: UnsafeMutablePointer<Int>) {
        let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
        continuations.append(continuation)
        nonisolated(unsafe) let sum = sum
        Task.detached { [arrived] in
            for await number in stream {
                if number < 0 { arrived.signal() } else { sum.pointee &+= number }
            }
        }
    }

    @inline(never)
    public func send(_ count: Int) {
        for number in 0..<count { yield(number) }
        yield(-1)
        for _ in continuations { arrived.wait() }
    }

    private func yield(_ number: Int) {
        for continuation in continuations { continuation.yield(number) }
    }
}
