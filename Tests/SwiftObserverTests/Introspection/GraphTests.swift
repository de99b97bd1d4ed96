// SPDX-License-Identifier: MIT

import SwiftObserver
import Testing

@Suite("Names and the graph")
struct GraphTests {
    @Test func anObservableHasTheNameThatItWasGiven() {
        let messenger = Messenger<Int>()
        #expect(messenger.name == nil)
        messenger.name = "numbers"
        #expect(messenger.name == "numbers")
        messenger.name = nil
        #expect(messenger.name == nil)
    }

    @Test func theGraphShowsWhatAnObservableIsMadeFrom() {
        let number = Var(1)
        number.messenger.name = "the \"number\""
        let doubled = number.new().map { $0 * 2 }
        let observer = FreeObserver()
        let kept = observer.observe(doubled) { _ in }
        #expect(
            graphDOT(doubled) == """
                digraph {
                    rankdir=LR;
                    node [shape=box];
                    n0 [label="\(type(of: doubled))\\n1 observing"];
                    n1 [label="\(type(of: doubled.source))\\n1 observing"];
                    n2 [label="Messenger<Update<Int>>\\nthe \\"number\\"\\n1 observing"];
                    n2 -> n1;
                    n1 -> n0;
                }

                """)
        withExtendedLifetime(kept) {}
    }

    @Test func whatIsMadeTwiceOfOneSourceShowsItOnce() {
        let source = Messenger<Int>()
        let merged = source.merge(source.map { $0 + 1 })
        let dot = graphDOT(merged, source)
        #expect(dot.components(of: "label=") == 3)
        #expect(dot.components(of: "->") == 3)
    }
}

extension String {
    fileprivate func components(of part: String) -> Int {
        var count = 0
        var rest = self[...]
        while let range = rest.firstRange(of: part) {
            count += 1
            rest = rest[range.upperBound...]
        }
        return count
    }
}
