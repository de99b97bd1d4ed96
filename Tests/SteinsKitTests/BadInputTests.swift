// SPDX-License-Identifier: MIT

import Dispatch
import SteinsKit
import TestSupport
import Testing

@Suite("SteinsKit: what is not meant is defined") struct BadInputTests {
    @Test func theDeathOfADisposerEndsTheObservationAlsoInsideTheHandler() {
        let variable = Variable("a"), label = Label(), other = Label()
        var disposer: Label? = Label()
        variable.beObserved(by: label, disposer: nil, onChanged: { $0.texts.append($1) })
        variable.beObserved(by: other, .directly, disposer: disposer) { other, text in
            if text == "b" { disposer = nil }
            other.texts.append(text)
        }
        variable.accept("b")
        variable.accept("c")
        #expect(label.texts == ["a", "b", "c"] && other.texts == ["a", "b"])
    }

    @Test func whoBeginsDuringADeliveryReceivesEachValueOnce() {
        let variable = Variable(1), label = Label(), mapped = variable.map { $0 * 10 }
        variable.beObserved(by: label) { label, number in
            guard number == 2 else { return }
            variable.accept(3)
            variable.beObserved(by: label) { label, number in label.texts.append("late \(number)") }
            mapped.beObserved(by: label) { label, number in label.texts.append("mapped \(number)") }
        }
        variable.accept(2)
        #expect(label.texts.filter { $0.hasPrefix("late") } == ["late 2", "late 3"])
        #expect(label.texts.filter { $0.hasPrefix("mapped") } == ["mapped 20", "mapped 30"])
    }

    @Test func acceptingOnAQueueThatIsWaitedForEndsTheProgram() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let variable = LazyVariable<Int>(), label = Label(), queue = DispatchQueue(label: "test")
            variable.beObserved(by: label, .sync(queue)) { _, _ in }
            queue.sync { variable.accept(1) }
        }
        #expect(
            isSaid(
                "a value accepted on a queue cannot be handled on it synchronously", in: result?.standardErrorContent))
    }

    @Test func anyThreadMayDoAnything() {
        nonisolated(unsafe) let variable = Variable(0)
        let label = Label(), seen = Recorder<Int>()
        nonisolated(unsafe) let mapped = variable.map { $0 }
        variable.beObserved(by: label) { _, number in seen.record(number) }
        onThreads(4) { _ in
            for _ in 0..<500 {
                variable.accept { $0 + 1 }
                // One for each, as what each of them tells may come on a thread of its own.
                let guest = Label(), other = Label()
                mapped.beObserved(by: guest, onChanged: { $0.text = "\($1)" })
                variable.map { "\($0)" }.beObserved(by: other, onChanged: { $0.text = $1 })
            }
        }
        #expect(variable.currentValue == 2_000 && seen.entries == Array(0...2_000))
    }
}
