// SPDX-License-Identifier: MIT

import ObserverEngine
import Testing
import TestSupport

@Suite struct EndingTests {
    /// What is released under the lock would wait for ever for that very lock.
    @Test(arguments: [true, false])
    func whatAHandlerHoldsIsReleasedWithoutTheLock(inOrder: Bool) {
        let observed = Observed()
        observed.core.maintainsMessageOrder = inOrder
        var deaths = 0
        var id: ObservationID?
        id = observe(
            observed,
            holding: Mortal { [core = observed.core] in
                _ = core.send(2, author: "test")
                deaths += 1
            }
        ) { id?.stop() }
        observed.send(1)
        #expect(deaths == 1)
    }

    /// Under the thread sanitizer: the one reads without the lock what stands beside what the other counts.
    @Test func endsAreToldWhileAnotherObservationIsBlocked() {
        let observed = Observed(), count = 1000
        let blocked = observed.observe { _ in }
        let core = observed.core
        nonisolated(unsafe) var told = 0
        core.follow { _ in told += 1 }
        onThreads(2) { thread in
            for _ in 0..<count {
                if thread == 0 {
                    core.observe(TestHandler { _, _ in }).stop()
                } else {
                    blocked.block()
                    blocked.unblock()
                }
            }
        }
        #expect(told == count && !blocked.isBlocked)
    }

    private func observe(_ observed: Observed, holding object: Mortal, _ body: @escaping () -> Void) -> ObservationID {
        observed.observe { _ in withExtendedLifetime(object) { body() } }
    }
}
