// SPDX-License-Identifier: MIT

import MiniRex
import TestSupport
import Testing

@Suite("Documentation: Coming From the Published MiniRex") struct ComingFromMiniRexTests {
    @Test func theSameNames() {
        var warnings: [Bool] = []
        let temperature = PublishedProperty(withInitialValue: 20)
        let subscription = temperature.publisher.valueTransform(with: { $0 > 30 }).subscribe { isHot in
            warnings.append(isHot)
        }
        temperature.value = 25
        temperature.value = 35
        withExtendedLifetime(subscription) { #expect(warnings == [false, true]) }
    }

    final class Oven: KeyPathPublishing {
        @KeyPathPublished var temperature = 20
    }

    @Test func propertiesThatAClassMarks() {
        var steps: [Int] = []
        let oven = Oven()
        let changes = oven.publisher(forKeyPath: \.temperature, options: [.old, .new]).subscribe { change in
            steps.append(change.newValue! - change.oldValue!)
        }
        oven.temperature = 180
        withExtendedLifetime(changes) { #expect(steps == [160]) }
    }

    @Test func tasks() async {
        let received = Recorder<Int>(), done = Gate()
        let sum = PublishedTask { (1...100).reduce(0, +) }
        let result = sum.publisher.subscribe { result in
            received.record(try! result.get())
            done.open()
        }
        await done.opened()
        withExtendedLifetime(result) { #expect(received.entries == [5_050]) }
    }

    @Test func theCodeOfTheArticleIsRun() throws {
        #expect(
            try codeThatIsNotRun(
                of: "Sources/MiniRex/MiniRex.docc/ComingFromMiniRex.md",
                by: "Tests/MiniRexTests/Documentation/ComingFromMiniRexTests.swift") == [])
    }
}
