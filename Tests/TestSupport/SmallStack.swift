// SPDX-License-Identifier: MIT

import Foundation

/// Runs a closure on a thread with little stack, and waits: what recurses along a chain of thousands ends the program.
public func onSmallStack(_ body: @escaping () -> Void) {
    nonisolated(unsafe) let body = body
    let done = Gate()
    let thread = Thread {
        body()
        done.open()
    }
    // While answers are kept, calls take more of the stack, though no more with longer chains.
    let isTraced = ProcessInfo.processInfo.environment["SWIFTOBSERVER_WHY"] != nil
    thread.stackSize = (isTraced ? 1024 : 512) * 1024
    thread.start()
    done.pass()
}
