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

    private func observe(_ observed: Observed, holding object: Mortal, _ body: @escaping () -> Void) -> ObservationID {
        observed.observe { _ in withExtendedLifetime(object) { body() } }
    }
}
