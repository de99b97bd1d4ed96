// SPDX-License-Identifier: MIT

import ObserverEngine
import Testing
import TestSupport

@Suite struct VariableTests {
    @Test func aChangeThatWasOvertakenIsComputedAgain() {
        let variable = make(1)
        var seen: [Int] = []
        let outcome = variable.update(author: "test") { old in
            seen.append(old)
            if old == 1 { _ = variable.set(10, author: "other") }
            return old + 1
        }
        #expect(outcome == .sent)
        #expect(seen == [1, 10])
        #expect(variable.get() == 11)
        variable.core.close()
    }

    @Test func aChangeMayDecideToChangeNothing() {
        let variable = make(1)
        #expect(variable.update(author: "test") { _ in nil } == nil)
        #expect(variable.get() == 1)
        variable.core.close()
    }

    @Test func nothingIsSentWhereNobodyObservesOrNothingChanges() {
        let variable = make(1)
        _ = variable.set(2, author: "test")
        var received: [Int] = []
        _ = variable.core.observe(TestHandler { message, _ in received.append(message) })
        _ = variable.set(2, author: "test")
        _ = variable.set(3, author: "test")
        #expect(received == [203])
        variable.core.close()
    }

    /// Sends 100 times the old value plus the new one.
    private func make(_ value: Int) -> Variable<Int, TestHandler> {
        Variable(core: Core(), value: value, isEqual: ==, makeMessage: { $0 * 100 + $1 })
    }
}
