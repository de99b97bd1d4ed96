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
    @Test func aMappedChainMapsAndDeliversEachValueOnce() {
        let variable = Variable(1), first = Label(), second = Label()
        var calls: [Int] = []
        let mapped = variable.asAnyObservable.map { number in
            calls.append(number)
            return number + 1
        }
        let twice = mapped.map { "\($0)" }
        for label in [first, second] { twice.beObserved(by: label, onChanged: { $0.texts.append($1) }) }
        calls = []
        variable.accept(2)
        #expect(calls == [2] && first.texts == ["2", "3"] && second.texts == ["2", "3"])
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
