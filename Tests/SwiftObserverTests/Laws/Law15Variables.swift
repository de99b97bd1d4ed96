// SPDX-License-Identifier: MIT

import SwiftObserver
import Testing
import TestSupport

@Suite("Laws 15 and 17: values and their updates") struct Laws15And17 {
    let dog = Dog()

    @Test func eachUpdateBeginsWhereTheOneBeforeItEnded() {
        let number = Var(0)
        nonisolated(unsafe) var updates: [Update<Int>] = []
        dog.observe(number) { updates.append($0) }
        onThreads(4) { index in for round in 1...1_000 { number <- index * 10_000 + round } }
        #expect(updates.first?.old == 0 && updates.last?.new == number.value)
        #expect(zip(updates, updates.dropFirst()).allSatisfy { $0.new == $1.old })
    }

    @Test func noThreadReadsHalfAValue() {
        struct Pair: Equatable {
            let number: Int
            let text: String
        }
        let pair = Var(Pair(number: 0, text: "0")), torn = Recorder<Pair>()
        onThreads(3) { index in
            for round in 0..<2_000 {
                guard index == 0 else {
                    pair <- Pair(number: index * round, text: "\(index * round)")
                    continue
                }
                let read = pair.value
                if "\(read.number)" != read.text { torn.record(read) }
            }
        }
        #expect(torn.entries.isEmpty)
    }
}

@Suite("Law 16: a variable sends only when its value changes") struct Law16 {
    @Test func anEqualValueSendsNothing() {
        expect([1, 1, 2, 2, 1], of: 0, sends: 3)
        expect(["a", "a", nil, nil], of: Optional<String>.none, sends: 2)
        expect([[1], [1], [2]], of: [0], sends: 2)
        expect([Equal(1), Equal(1), Equal(2)], of: Equal(0), sends: 2)
        expect([1, 1, .some(nil), nil], of: Optional<Int?>.none, sends: 3)
    }

    @Test func aReferenceThatIsNotEquatableIsComparedByIdentity() {
        let one = Mortal(), other = Mortal()
        expect([one, one, other, other, one], of: Mortal(), sends: 3)
        expect([one, one, nil, nil, other], of: Optional<Mortal>.none, sends: 3)
        expect([one, one, other] as [any Speaker], of: Mortal() as any Speaker, sends: 2)
        expect([one, one, other] as [AnyObject], of: Mortal() as AnyObject, sends: 2)
        expect([one, one, other] as [(any Speaker)?], of: nil, sends: 2)
    }

    @Test func aReferenceThatIsEquatableIsComparedByItsEquality() {
        expect([Name("a"), Name("a"), Name("b")], of: Name(""), sends: 2)
        expect([Name("a"), Name("a"), nil, nil], of: Optional<Name>.none, sends: 2)
    }

    @Test func anythingElseSendsOnEveryAssignment() {
        expect([Plain(), Plain()], of: Plain(), sends: 2)
        expect([Plain(), Plain(), nil, nil], of: Optional<Plain>.none, sends: 4)
        expect([(1, 1), (1, 1)], of: (1, 1), sends: 2)
        expect([{ 1 }, { 1 }], of: { 1 }, sends: 2)
    }

    @Test func onlyRealChangesOfManyThreadsAreSent() {
        let flag = Var(false), dog = Dog()
        nonisolated(unsafe) var unreal = 0
        dog.observe(flag) { if !$0.isChange { unreal += 1 } }
        onThreads(4) { index in for _ in 0..<1_000 { flag <- index % 2 == 0 } }
        #expect(unreal == 0)
    }

    /// Generic, so nothing here knows whether the values can be compared.
    private func expect<Value>(
        _ values: [Value], of initial: Value, sends count: Int, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let variable = Var(initial), dog = Dog()
        dog.observe(variable) { _ in dog.hear("update") }
        for value in values { variable.value = value }
        #expect(dog.heard.count == count, sourceLocation: sourceLocation)
    }

    private struct Equal: Equatable {
        let number: Int
        let text = "longer than the three words that fit in place"
        init(_ number: Int) { self.number = number }
    }

    private struct Plain {
        let text = "nobody can compare these"
    }

    private final class Name: Equatable {
        let text: String
        init(_ text: String) { self.text = text }
        static func == (one: Name, other: Name) -> Bool { one.text == other.text }
    }
}

private protocol Speaker {}
extension Mortal: Speaker {}
