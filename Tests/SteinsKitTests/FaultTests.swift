// SPDX-License-Identifier: MIT

import Dispatch
import SteinsKit
import TestSupport
import Testing

@Suite("SteinsKit: faults of the published code") struct FaultTests {
    /// Fault 10: the first value ignored the chosen queue.
    @Test func theFirstValueObeysTheQueue() {
        let variable = Variable("a"), label = Label(), queue = DispatchQueue(label: "test")
        let seen = Recorder<String>()
        queue.suspend()
        variable.beObserved(by: label, .async(queue)) { _, text in seen.record(text) }
        #expect(seen.entries == [])
        queue.resume()
        queue.sync {}
        #expect(seen.entries == ["a"])
    }

    /// Fault 10: a mapped chain delivered twice.
    @Test func aMappedChainDeliversOnce() {
        let variable = Variable(1), first = Label(), second = Label()
        let mapped = variable.asAnyObservable.map { $0 + 1 }
        let twice = mapped.map { "\($0)" }
        twice.beObserved(by: first, onChanged: { $0.texts.append($1) })
        twice.beObserved(by: second, onChanged: { $0.texts.append($1) })
        variable.accept(2)
        #expect(first.texts == ["2", "3"] && second.texts == ["2", "3"])
    }

    @Test func theClosureOfAMapIsCalledOnceForEachValue() {
        let variable = LazyVariable<Int>(), label = Label()
        var calls: [Int] = []
        let mapped = variable.map { number in
            calls.append(number)
            return "\(number)"
        }
        for _ in 0..<3 { mapped.beObserved(by: label, onChanged: { $0.texts.append($1) }) }
        variable.accept(1)
        variable.accept(2)
        #expect(calls == [1, 2])
        #expect(label.texts == ["1", "1", "1", "2", "2", "2"])
    }

    /// Fault 10: it lost updates after one of its observers left.
    @Test func aMappedChainGoesOnWhenOneOfItsObserversLeaves() {
        let variable = Variable(1), staying = Label()
        var leaving: Label? = Label()
        func begin() {
            let mapped = variable.asAnyObservable.map { "\($0)" }.map { $0 + "!" }
            mapped.beObserved(by: leaving!, onChanged: { $0.texts.append($1) })
            mapped.beObserved(by: staying, onChanged: { $0.texts.append($1) })
        }
        begin()
        variable.accept(2)
        #expect(leaving?.texts == ["1!", "2!"])
        leaving = nil
        variable.accept(3)
        variable.accept(4)
        #expect(staying.texts == ["1!", "2!", "3!", "4!"])
    }
}
