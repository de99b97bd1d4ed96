// SPDX-License-Identifier: MIT

import Dispatch
import SteinsKit
import TestSupport
import Testing

@Suite("SteinsKit: tell me more") struct TellMeMore {
    @Test func aVariableHasAValueFromTheBeginning() {
        let variable = Variable("a"), label = Label()
        variable.asAnyObservable.beObserved(by: label, onChanged: { $0.text = $1 })
        #expect(label.text == "a")
        #expect(variable.currentValue == "a")
    }

    @Test func aLazyVariableNeedNotHaveOne() {
        let variable = LazyVariable<String>(), label = Label()
        variable.beObserved(by: label, onChanged: { $0.texts.append($1) })
        #expect(label.texts == [] && variable.currentValue == nil)
        variable.accept("a")
        #expect(label.texts == ["a"] && variable.currentValue == "a")
        #expect(LazyVariable("b").currentValue == "b")
    }

    @Test func theLatestValueIsReflectedAtOnce() {
        let variable = LazyVariable<String>(), label = Label()
        variable.accept("a")
        variable.accept("b")
        variable.beObserved(by: label, onChanged: { $0.texts.append($1) })
        #expect(label.texts == ["b"])
    }

    @Test func allThatObserveReceiveWhatIsAccepted() {
        let variable = Variable("a"), first = Label(), second = Label()
        variable.beObserved(by: first, onChanged: { $0.texts.append($1) })
        variable.beObserved(by: second, onChanged: { $0.texts.append($1) })
        variable.accept("b")
        #expect(first.texts == ["a", "b"] && second.texts == ["a", "b"])
    }

    @Test func valuesAreNotCompared() {
        let variable = Variable("a"), label = Label()
        variable.beObserved(by: label, onChanged: { $0.texts.append($1) })
        variable.accept("a")
        #expect(label.texts == ["a", "a"])
    }

    @Test func aNewValueCanBeMadeOfTheOldOne() {
        let variable = Variable(1), lazy = LazyVariable<Int>()
        variable.accept { old in old + 1 }
        lazy.accept { old in (old ?? 10) + 1 }
        lazy.accept { old in (old ?? 10) + 1 }
        #expect(variable.currentValue == 2)
        #expect(lazy.currentValue == 12)
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
        let variable = Variable("a")
        var called = 0
        let living = leaks { track in
            let label = track(Label()), captured = track(Mortal())
            variable.beObserved(by: label) { _, _ in
                withExtendedLifetime(captured) { called += 1 }
            }
            variable.accept("b")
            #expect(called == 2)
        }
        #expect(living == ["Mortal"])
        variable.accept("c")
        #expect(called == 2)
    }

    @Test func directlyIsOnTheThreadThatAccepts() {
        let variable = Variable("a"), label = Label(), queue = DispatchQueue(label: "test")
        let key = DispatchSpecificKey<Bool>()
        queue.setSpecific(key: key, value: true)
        var onQueue: [Bool] = []
        variable.beObserved(by: label, .directly) { _, _ in onQueue.append(DispatchQueue.getSpecific(key: key) == true)
        }
        queue.sync { variable.accept("b") }
        #expect(onQueue == [false, true])
    }

    @Test(arguments: ["async", "asyncOnQueue", "sync", "syncOnQueue"])
    func aQueueIsObeyed(_ name: String) {
        let variable = Variable("a"), label = Label(), queue = DispatchQueue(label: "test")
        let key = DispatchSpecificKey<Bool>()
        queue.setSpecific(key: key, value: true)
        let methods: [String: ExecutionMethod] = [
            "async": .async(queue), "asyncOnQueue": .asyncOnQueue(queue),
            "sync": .sync(queue), "syncOnQueue": .syncOnQueue(queue),
        ]
        let seen = Recorder<String>()
        variable.beObserved(by: label, methods[name]!) { _, text in
            seen.record("\(text) \(DispatchQueue.getSpecific(key: key) == true)")
        }
        variable.accept("b")
        if name.hasPrefix("sync") { #expect(seen.entries == ["a true", "b true"]) }
        queue.sync {}
        #expect(seen.entries == ["a true", "b true"])
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
        await withCheckedContinuation { continuation in
            variable.beObserved(by: label, .asyncOnMain) { _, _ in
                dispatchPrecondition(condition: .onQueue(.main))
                continuation.resume()
            }
        }
        await withCheckedContinuation { continuation in
            variable.beObserved(by: label, .async(.main), onChanged: { _, _ in continuation.resume() })
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
