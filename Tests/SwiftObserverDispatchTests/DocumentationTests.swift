// SPDX-License-Identifier: MIT

import Dispatch
import SwiftObserver
import SwiftObserverDispatch
import Testing
import TestSupport

@Suite("Documentation: SwiftObserverDispatch") struct DocumentationTests {
    @Test func theCodeOfTheFirstPage() {
        let sky = Messenger<String>(), hunger = Var(3), dog = FreeObserver(), queue = DispatchQueue(label: "dog")
        let colors = Recorder<String>(), lengths = Recorder<Int>(), levels = Recorder<Int>()

        dog.observe(sky, on: .async(queue)) { color in colors.record(color) }
        dog.observe(sky).map { $0.count }.receive(on: .sync(queue)) { length in lengths.record(length) }
        dog.observe(hunger, replaying: .latest, beginningOn: queue) { update in levels.record(update.new) }

        sky.send("blue")
        #expect(lengths.entries == [4])
        queue.sync {}
        #expect(colors.entries == ["blue"] && levels.entries == [3])
    }

    @Test func itIsTheCodeOfTheFirstPage() throws {
        #expect(
            try codeThatIsNotRun(
                of: "Sources/SwiftObserverDispatch/SwiftObserverDispatch.docc/SwiftObserverDispatch.md",
                by: "Tests/SwiftObserverDispatchTests/DocumentationTests.swift") == [])
    }
}
