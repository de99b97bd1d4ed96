// SPDX-License-Identifier: MIT

import Foundation
import SwiftObserver

/// A task for each observer, which takes the messages of one messenger. A send is over when all have arrived.
public final class ForAwaitScene: Scene {
    private let messenger = Messenger<Int>()
    private var tasks: [Task<Void, Never>] = []
    private let arrived = DispatchSemaphore(value: 0)

    public init() {}

    deinit { for task in tasks { task.cancel() } }

    public func observe(_ sum: UnsafeMutablePointer<Int>) {
        let messages = messenger.messages()
        nonisolated(unsafe) let sum = sum
        tasks.append(
            Task.detached { [arrived] in
                for await number in messages {
                    if number < 0 { arrived.signal() } else { sum.pointee &+= number }
                }
            })
    }

    @inline(never)
    public func send(_ count: Int) {
        for number in 0..<count { messenger.send(number) }
        messenger.send(-1)
        for _ in tasks { arrived.wait() }
    }
}
