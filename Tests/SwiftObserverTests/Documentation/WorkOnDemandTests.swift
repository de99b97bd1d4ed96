// SPDX-License-Identifier: MIT

import SwiftObserver
import Testing
import TestSupport

@Suite("Documentation: Work on Demand") struct WorkOnDemandTests {
    let dog = Dog(), queue = ManualQueue()

    @Test func aTicker() async {
        let ticks = Ticker(every: .milliseconds(1))
        for await count in ticks.messages() where count >= 3 { break }
        #expect(!ticks.isObserved)
    }

    private static func load(_ name: String) async throws -> String { "The \(name)" }

    @Test func work() async throws {
        let titles = Recorder<String>(), load = Self.load

        let page = Work { try await load("index") }
        dog.observe(page, on: .async(queue)) { result in
            titles.record((try? result.get()) ?? "none")
        }

        let title = try await page.value

        queue.runAll()
        #expect(title == "The index")
        #expect(titles.entries == ["The index"])
    }

    @Test func workThatTellsHowFarItHasGot() async throws {
        var outcome = ""

        let download = ProgressiveWork<Int, String> { report in
            for percent in [25, 50, 75] { report(percent) }
            return "done"
        }
        for await advance in download.messages() {
            if case .result(let result) = advance {
                outcome = try result.get()
                break
            }
        }

        #expect(outcome == "done")
    }
}
