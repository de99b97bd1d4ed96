// SPDX-License-Identifier: MIT

import Dispatch
import SteinsKit
import TestSupport
import Testing

@Suite("SteinsKit: tell me more") struct TellMeMore {
    @Test func aVariableHasAValueFromTheBeginningAndALazyOneNeedNot() {
        let variable = Variable("a"), lazy = LazyVariable<String>(), label = Label(), other = Label()
        variable.asAnyObservable.beObserved(by: label, onChanged: { $0.text = $1 })
        lazy.beObserved(by: other, onChanged: { $0.texts.append($1) })
        #expect(label.text == "a" && variable.currentValue == "a")
        #expect(other.texts == [] && lazy.currentValue == nil)
        lazy.accept("b")
        #expect(other.texts == ["b"] && lazy.currentValue == "b" && LazyVariable("c").currentValue == "c")
    }

    @Test func theLatestValueIsReflectedAtOnceAndAllReceiveWhatIsAccepted() {
        let variable = LazyVariable<String>(), first = Label(), second = Label()
        variable.accept("a")
        variable.accept("b")
        for label in [first, second] { variable.beObserved(by: label, onChanged: { $0.texts.append($1) }) }
        // Values are not compared.
        variable.accept("b")
        #expect(first.texts == ["b", "b"] && second.texts == ["b", "b"])
    }

    @Test func aNewValueCanBeMadeOfTheOldOne() {
        let variable = Variable(1), lazy = LazyVariable<Int>()
        variable.accept { old in old + 1 }
        for _ in 0..<2 { lazy.accept { old in (old ?? 10) + 1 } }
        #expect(variable.currentValue == 2 && lazy.currentValue == 12)
    }

    @Test func somethingRunsWithTheLatestValueIfThereIsOne() {
        let variable = LazyVariable<Int>()
        var seen: [Int] = []
        variable.runWithLatestValue { seen.append($0) }
        variable.accept(1)
        variable.runWithLatestValue { seen.append($0) }
        variable.asAnyObservable.runWithLatestValue { seen.append($0) }
        variable.asAnyObservable.map { $0 * 10 }.runWithLatestValue { seen.append($0) }
        #expect(seen == [1, 1, 10])
    }

    @Test func mapsComeBeforeObserving() {
        let counter = Variable(1), label = Label()
        counter.asAnyObservable.map { $0 * 10 }.map { "\($0)" }.beObserved(
            by: label, onChanged: { $0.texts.append($1) })
        counter.accept(2)
        #expect(label.texts == ["10", "20"])
    }

    @Test func theObserverIsHeldWeaklyAndItsDeathEndsTheObservation() {
        let variable = Variable("a"), track = Tracker()
        var called = 0
        do {
            let label = track(Label()), captured = track(Mortal())
            variable.beObserved(by: label) { _, _ in withExtendedLifetime(captured) { called += 1 } }
            variable.accept("b")
            withExtendedLifetime(label) { #expect(called == 2) }
        }
        #expect(track.living == ["Mortal"])
        // What the handler holds is released with the next value.
        variable.accept("c")
        #expect(called == 2 && track.living == [])
    }

    @Test(arguments: ["directly", "async", "asyncOnQueue", "sync", "syncOnQueue"])
    func aQueueIsObeyed(_ name: String) {
        let variable = Variable("a"), label = Label(), queue = DispatchQueue(label: "test"), seen = Recorder<String>()
        let key = DispatchSpecificKey<Bool>()
        queue.setSpecific(key: key, value: true)
        let methods: [String: ExecutionMethod] = [
            "directly": .directly, "async": .async(queue), "asyncOnQueue": .asyncOnQueue(queue),
            "sync": .sync(queue), "syncOnQueue": .syncOnQueue(queue),
        ]
        variable.beObserved(by: label, methods[name]!) { _, text in
            seen.record("\(text) \(DispatchQueue.getSpecific(key: key) == true)")
        }
        variable.accept("b")
        if name.hasPrefix("sync") { #expect(seen.entries == ["a true", "b true"]) }
        queue.sync {}
        #expect(seen.entries == (name == "directly" ? ["a false", "b false"] : ["a true", "b true"]))
    }

    @Test func globalQueuesKeepTheOrderToo() {
        let variable = LazyVariable<Int>(), label = Label(), done = Gate(), seen = Recorder<Int>()
        variable.beObserved(by: label, .asyncOnGlobal(qos: .userInitiated)) { _, number in
            seen.record(number)
            if number == 999 { done.open() }
        }
        for number in 0..<1_000 { variable.accept(number) }
        done.pass()
        #expect(seen.entries == Array(0..<1_000))
    }

    @Test @MainActor func theMainQueueCanBeChosen() async {
        let variable = Variable("a"), label = Label()
        for method in [ExecutionMethod.asyncOnMain, .async(.main)] {
            await withCheckedContinuation { continuation in
                variable.beObserved(by: label, method) { _, _ in
                    dispatchPrecondition(condition: .onQueue(.main))
                    continuation.resume()
                }
            }
        }
    }

    @Test func bothSpellingsGiveAnObservable() {
        let variable = Variable("a"), lazy = LazyVariable("b"), label = Label()
        let observables: [AnyObservable<String>] = [
            variable.asAnyObservable, variable.asAnyObservable(), lazy.asAnyObservable, lazy.asAnyObservable(),
        ]
        for observable in observables { observable.beObserved(by: label, onChanged: { $0.texts.append($1) }) }
        #expect(label.texts == ["a", "a", "b", "b"])
    }
}
