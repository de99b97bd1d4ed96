// SPDX-License-Identifier: MIT

import SwiftObserver
import Testing
import TestSupport

@Suite("Law 15: a new value is visible at once, its message takes its turn") struct Law15 {
    @Test func eachUpdateBeginsWhereTheOneBeforeItEnded() {
        let number = Var(0), dog = Dog()
        nonisolated(unsafe) var updates: [Update<Int>] = []
        dog.observe(number) { updates.append($0) }
        onThreads(4) { index in
            for round in 1...1_000 { number <- index * 10_000 + round }
        }
        #expect(updates.first?.old == 0)
        #expect(updates.last?.new == number.value)
        #expect(zip(updates, updates.dropFirst()).allSatisfy { $0.new == $1.old })
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
        nonisolated(unsafe) var updates: [Update<Bool>] = []
        dog.observe(flag) { updates.append($0) }
        onThreads(4) { index in
            for _ in 0..<1_000 { flag <- index % 2 == 0 }
        }
        #expect(updates.allSatisfy { $0.isChange })
        #expect(zip(updates, updates.dropFirst()).allSatisfy { $0.new == $1.old })
    }

    /// Generic, so nothing here knows whether the values can be compared.
    private func expect<Value>(
        _ values: [Value], of initial: Value, sends count: Int, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let variable = Var(initial), dog = Dog()
        var received = 0
        dog.observe(variable) { _ in received += 1 }
        for value in values { variable.value = value }
        #expect(received == count, sourceLocation: sourceLocation)
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

@Suite("Law 17: reading, setting and updating a variable is atomic") struct Law17 {
    @Test func noUpdateOfManyThreadsIsLost() {
        let number = Var(0), dog = Dog()
        nonisolated(unsafe) var sum = 0
        dog.observe(number) { sum += $0.new - $0.old }
        onThreads(4) { _ in
            for _ in 0..<2_000 { number.update { $0 += 1 } }
        }
        #expect(number.value == 8_000)
        #expect(sum == 8_000)
    }

    @Test func nobodyReadsHalfAValue() {
        let pair = Var(Pair(number: 0, text: "0")), torn = Recorder<Pair>()
        onThreads(3) { index in
            for round in 0..<2_000 {
                if index == 0 {
                    let read = pair.value
                    if "\(read.number)" != read.text { torn.record(read) }
                } else {
                    pair <- Pair(number: index * round, text: "\(index * round)")
                }
            }
        }
        #expect(torn.entries.isEmpty)
    }

    private struct Pair: Equatable {
        let number: Int
        let text: String
    }
}

@Suite("Law 18: beginning to observe a variable sends nothing") struct Law18 {
    @Test func beginningSendsNothing() {
        let number = Var(1), dog = Dog()
        var received = 0
        dog.observe(number) { _ in received += 1 }
        dog.observe(number).new { _ in received += 1 }
        let mapped = number.new()
        dog.observe(mapped) { _ in received += 1 }
        #expect(received == 0)
    }

    @Test func thePresentStateCanBeSentByHand() {
        let number = Var(1), dog = Dog()
        var received: [Update<Int>] = []
        dog.observe(number) { received.append($0) }
        number.send()
        #expect(received == [Update(1, 1)])
        #expect(received.first?.isChange == false)
    }
}
