// SPDX-License-Identifier: MIT

import SwiftObserver
import Testing
import TestSupport

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

    @Test func anObservationHasANameForPeople() {
        let messenger = Messenger<Int>(), queue = ManualQueue(), dog = Dog()
        let plain = dog.observe(messenger) { _ in }, later = dog.observe(messenger, on: .async(queue)) { _ in }
        #expect(plain.name == nil && later.name == nil)
        plain.name = "count"
        plain.name = "draw"
        later.name = "draw \"later\""
        #expect(plain.name == "draw" && later.name == "draw \"later\"")
        let dot = graphDOT(messenger)
        #expect(dot.contains("[shape=ellipse, fillcolor=\"#eeeeee\", label=\"draw"))
        #expect(dot.contains("label=\"draw \\\"later\\\""))
        plain.name = nil
        #expect(plain.name == nil)
        later.stop()
        later.name = "too late"
        #expect(later.name == nil)
    }

    @Test func theGraphShowsWhatAnObservableIsMadeFromAndWhoObserves() {
        let number = Var(1)
        number.messenger.name = "the \"number\""
        let doubled = number.new().map { $0 * 2 }
        let dog = Dog(), label = Label()
        dog.observe(doubled) { _ in }
        doubled.observe(weakly: label) { _, _ in }
        #expect(
            graphDOT(doubled) == """
                digraph {
                    rankdir=LR;
                    node [shape=box, style="rounded,filled", fillcolor=white, fontname=Helvetica, fontsize=12];
                    edge [color="#555555", arrowsize=0.7];
                    n0 [label="\(type(of: doubled))"];
                    n1 [label="\(type(of: doubled.source))"];
                    n2 [label="Messenger<Update<Int>>\\nthe \\"number\\""];
                    h0 [shape=ellipse, fillcolor="#eeeeee", label="handler"];
                    n0 -> h0;
                    h1 [shape=ellipse, fillcolor="#eeeeee", label="handler\\nLabel"];
                    n0 -> h1;
                    n1 -> n0;
                    n2 -> n1;
                }

                """)
        withExtendedLifetime(label) {}
    }

    private final class Label: Sendable {}

    /// Whichever observable one begins with.
    @Test func theGraphAlsoShowsWhatIsMadeFromAnObservable() {
        let number = Var(1), dog = Dog()
        let filtered = number.new().filter { $0 > 1 }, weak = Weak(filtered), cached = weak.cache(0)
        let merged = filtered.merge(number.new()), replayer = merged.replay(.all)
        dog.observe(replayer) { _ in }
        for dot in [graphDOT(number), graphDOT(filtered), graphDOT(replayer), graphDOT(cached)] {
            #expect(dot.components(of: " [label=") == 8)
            #expect(dot.components(of: " -> n") == 8)
            #expect(dot.components(of: " -> h") == 1)
        }
        withExtendedLifetime(weak) {}
    }

    @Test func eachObservationIsShownAndNoneThatHasEnded() {
        let messenger = Messenger<Int>(), other = Var(1), dog = Dog(), queue = ManualQueue()
        let weakly = messenger.observe(weakly: dog) { _, _ in }
        #expect(graphDOT(messenger).components(of: "handler\\nDog") == 1)
        weakly.stop()
        dog.observe(messenger) { _ in }
        dog.observe(messenger).map { $0 }.receive { _ in }
        dog.observe(messenger, on: .async(queue)) { _ in }
        dog.observe(messenger, beginningOn: queue) { _ in }
        dog.observe(messenger.cache(0), other) { _, _ in }
        #expect(graphDOT(messenger).components(of: " -> h") == 4)
        queue.runAll()
        #expect(graphDOT(messenger).components(of: "label=\"handler\"") == 4)
        dog.stopObserving()
        #expect(graphDOT(messenger, other).components(of: "->") == 0)
    }

    @Test func whatATransformObservesIsShownAfterAChangeOfItsSourceToo() {
        let one = Messenger<Int>(), other = Messenger<Int>(), mapped = one.map { $0 }
        one.name = "one"
        other.name = "other"
        mapped.source = other
        #expect(graphDOT(one).components(of: "->") == 0)
        let dot = graphDOT(mapped)
        #expect(dot.components(of: "other") == 1 && dot.components(of: "->") == 1)
    }

    @Test func whatAnObservableObservesForItselfIsNotShown() {
        let replayer = Messenger<Int>().replay(.latest)
        #expect(graphDOT(replayer).components(of: "->") == 1)
        #expect(graphDOT(replayer).components(of: "shape=ellipse") == 0)
    }

    @Test func whatIsMadeTwiceOfOneSourceShowsItOnce() {
        let source = Messenger<Int>()
        let merged = source.merge(source.map { $0 + 1 })
        let dot = graphDOT(merged, source)
        #expect(dot.components(of: " [label=") == 3)
        #expect(dot.components(of: "->") == 3)
    }

    @Test func theGraphCanBeDrawnWhileOthersObserveAndDie() {
        let number = Var(0), over = Flag()
        let changing = (0..<2).map { _ in
            onOtherThread {
                while !over.isRaised {
                    let mapped = number.new().map { $0 + 1 }, cat = Cat()
                    mapped.observe(weakly: cat) { _, _ in }
                    cat.observe(number) { _ in }
                    number.observe(weakly: cat, on: .async(CallingThread())) { _, _ in }.stop()
                    number.update { $0 += 1 }
                }
            }
        }
        for _ in 0..<300 { #expect(graphDOT(number).hasSuffix("}\n")) }
        over.raise()
        for thread in changing { thread.pass() }
        number.update { $0 += 1 }
        #expect(graphDOT(number).components(of: "->") == 0)
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
