// SPDX-License-Identifier: MIT

import SteinsKit
import TestSupport
import Testing

@Suite("Documentation: Coming From the Published SteinsKit") struct ComingFromSteinsKitTests {
    @Test func theSameNames() {
        let label = Label()
        let counter = Variable(1)
        counter.asAnyObservable.map { "\($0)" }.beObserved(by: label, onChanged: { $0.text = $1 })
        counter.accept { old in old + 1 }
        #expect(label.text == "2")
    }

    @Test func theCodeOfTheArticleIsRun() throws {
        #expect(
            try codeThatIsNotRun(
                of: "Sources/SteinsKit/SteinsKit.docc/ComingFromSteinsKit.md",
                by: "Tests/SteinsKitTests/Documentation/ComingFromSteinsKitTests.swift") == [])
    }
}
