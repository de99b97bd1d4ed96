// SPDX-License-Identifier: MIT

import ObserverEngine
import TestSupport
import Testing

@Suite("What is held") struct HoldingTests {
    @Test func messagesWaitUntilItIsLetGo() {
        let observed = Observed(), received = Recorder<Int>()
        observed.core.hold()
        observed.observe { received.record($0) }
        observed.send(1)
        observed.send(2)
        #expect(received.entries == [])
        observed.core.letGo()
        #expect(received.entries == [1, 2])
        observed.send(3)
        #expect(received.entries == [1, 2, 3])
    }

    @Test func whatIsStoppedMeanwhileReceivesNothing() {
        let observed = Observed(), received = Recorder<Int>()
        observed.core.hold()
        let first = observed.observe { received.record($0) }
        observed.observe { received.record($0 * 10) }
        observed.send(1)
        first.stop()
        observed.core.letGo()
        #expect(received.entries == [10])
    }

    @Test func itCanDieMeanwhile() {
        let received = Recorder<Int>()
        let observed = Observed(), core = observed.core
        core.hold()
        observed.observe { received.record($0) }
        core.close()
        core.letGo()
        #expect(core.isEmpty && received.entries == [])
    }
}
