// SPDX-License-Identifier: MIT

import Foundation
import SwiftObserver
import TestSupport
import Testing

/// In a process of its own, because answers are kept for a whole process.
@Suite("Why a derived variable changed, over the variables of all vocabularies") struct WhyTests {
    @Test func theSourceIsNamedByItsType() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
            Why.start(values: true)
            for vocabulary in Law34.vocabulariesWithVariables {
                let cell = vocabulary.makeCell(1), double = Derived { cell.value * 2 }
                let kept = double.observe { _ in }
                cell.send(2)
                for line in double.why().split(separator: "\n").dropFirst() {
                    print(line.components(separatedBy: " \"0x")[0].dropFirst(2))
                }
                withExtendedLifetime(kept) {}
            }
        }
        #expect(
            result.map { String(decoding: $0.standardOutputContent, as: UTF8.self) } == """
                because Var<Int>
                because Var<Int>
                because Variable<Int>
                because PublishedProperty<Int>

                """)
    }
}
