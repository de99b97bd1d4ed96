// SPDX-License-Identifier: MIT

import SwiftObserver
import SwiftObserver5
import TestSupport
import Testing

/// Derived variables and effects of SwiftObserver, over the variables of all.
@Suite("Law 34: effects come after the updates of their turn") struct Law34 {
    static let vocabulariesWithVariables = vocabularies.filter {
        if case .inapplicable = $0.scope(of: 15) { false } else { true }
    }

    @Test(arguments: vocabulariesWithVariables)
    func overVariablesOfAll(_ vocabulary: any Vocabulary) {
        let cell = vocabulary.makeCell(1), heard = Recorder<String>()
        let double = Derived { cell.value * 2 }
        let kept = cell.observe {
            heard.record("\($0)")
            if $0 == 5 { cell.send(6) }
        }
        let derived = double.observe { heard.record("double \($0.new)") }
        let effect = SwiftObserver.effect { heard.record("effect \(cell.value)") }
        cell.send(2)
        cell.send(5)
        withExtendedLifetime((kept, derived, effect)) {
            let begun = (cell.replaysLatest ? ["1"] : []) + ["effect 1"]
            // SwiftObserver5 assigns in its turn: so there is one between the two.
            let between = vocabulary is SwiftObserver5Vocabulary ? ["double 10", "effect 5"] : []
            let last = ["5"] + between + ["6", "double 12", "effect 6"]
            #expect(heard.entries == begun + ["2", "double 4", "effect 2"] + last)
        }
    }

    @Test(arguments: vocabulariesWithVariables)
    func whatIsSetInAReplayIsHeardBeforeItsEffectsRun(_ vocabulary: any Vocabulary) {
        let cell = vocabulary.makeCell(1), heard = Recorder<String>()
        guard cell.replaysLatest else { return }
        let effect = SwiftObserver.effect { heard.record("effect \(cell.value)") }
        let kept = cell.observe {
            heard.record("\($0)")
            if $0 == 1 { cell.send(2) }
        }
        withExtendedLifetime((kept, effect)) {
            #expect(heard.entries == ["effect 1", "1", "2", "effect 2"])
        }
    }

    @Test func aLatestMessageThatIsReplacedIsASource() {
        nonisolated(unsafe) let messenger = SwiftObserver5.Messenger(1)
        let double = Derived { messenger.latestMessage * 2 }
        #expect(double.value == 2)
        messenger.latestMessage = 4
        #expect(double.value == 8)
        messenger.send(5)
        #expect(double.value == 10)
    }
}
