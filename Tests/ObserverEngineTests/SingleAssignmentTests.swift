// SPDX-License-Identifier: MIT

import ObserverEngine
import TestSupport
import Testing

@Suite("What begins late") struct SingleAssignmentTests {
    @Test func itBeginsUnlessItIsOver() {
        let late = SingleAssignment<Int>()
        #expect(late.begin { 1 } == nil)
        #expect(late.end() == 1)
        #expect(late.end() == nil)
        var made = false
        let begun = late.begin {
            made = true
            return 2
        }
        #expect(begun == nil && !made)
    }

    @Test func whatIsOverWhileItBeginsIsForTheOneWhoBegan() {
        let late = SingleAssignment<Int>()
        let begun = late.begin {
            #expect(late.end() == nil)
            return 1
        }
        #expect(begun == 1)
    }

    @Test func whatBeginsIsEndedOnceWhateverThreadIsFaster() {
        for _ in 0..<500 {
            let late = SingleAssignment<Int>(), begun = Recorder<Void>(), ended = Recorder<Int>()
            onThreads(2) { thread in
                func begin() -> Int {
                    begun.record()
                    return 1
                }
                if let one = thread == 0 ? late.begin(begin) : late.end() { ended.record(one) }
            }
            #expect(ended.count == begun.count)
        }
    }
}
