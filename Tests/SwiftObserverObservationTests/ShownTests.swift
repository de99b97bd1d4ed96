// SPDX-License-Identifier: MIT

import Observation
import SwiftObserver
import SwiftObserverObservation
import Testing
import TestSupport

@MainActor @Suite("A variable that the Observation module follows") struct ShownTests {
    let name = Var("Ann")

    private func changes(of read: () -> String, during change: () -> Void) -> Int {
        let changes = Recorder<Void>()
        _ = withObservationTracking(read) { changes.record() }
        change()
        return changes.count
    }

    @Test func aChangeIsToldOf() {
        let shown = Shown(name)
        #expect(shown.value == "Ann")
        #expect(changes(of: { shown.value }) { name <- "Bob" } == 1)
        #expect(shown.value == "Bob")
    }

    @Test func itIsToldOfJustBefore() {
        let shown = Shown(name), before = Recorder<String>()
        _ = withObservationTracking {
            shown.value
        } onChange: {
            MainActor.assumeIsolated { before.record(shown.value) }
        }
        name <- "Bob"
        #expect(before.entries == ["Ann"])
    }

    @Test func whatIsEqualIsNoChange() {
        let shown = Shown(name)
        #expect(changes(of: { shown.value }) { name <- "Ann" } == 0)
    }

    @Test func itCanBeSet() {
        let shown = Shown(name)
        #expect(changes(of: { shown.value }) { shown.value = "Cid" } == 1)
        #expect(name.value == "Cid" && shown.value == "Cid")
    }

    @Test func derivedVariablesAreShown() {
        let greeting = Derived { [name] in "Hello \(name.value)" }, shown = Shown(greeting)
        #expect(changes(of: { shown.value }) { name <- "Bob" } == 1)
        #expect(shown.value == "Hello Bob")
    }

    @Test func whatAnotherThreadSetsArrivesOnTheMainActor() async {
        let shown = Shown(name)
        onOtherThread { [name] in name <- "Bob" }
        while shown.value == "Ann" { await Task.yield() }
        #expect(shown.value == "Bob")
    }

    @Test func nothingHoldsIt() {
        let tracker = Tracker()
        _ = tracker(Shown(name))
        #expect(tracker.living == [])
        name <- "Bob"
        #expect(!name.isObserved)
    }
}
